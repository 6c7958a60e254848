//! A broker of news: publishers publish, readers subscribe to topics and leave them again.
//!
//! A reader waits for the weather, then leaves that topic for sport and waits for a result. Two
//! things can go wrong:
//!
//! * The *forgetful broker* forwards news to the readers that are subscribed at that moment. If
//!   the only result is published before the reader has switched, the reader waits for ever. The
//!   fix is a broker that retains the last news of each topic and sends it to each new subscriber.
//! * The *hasty reader* assumes that it has left a topic as soon as it has sent the request. But
//!   the broker may have sent it another weather report before it received the request, and the
//!   reader takes that for a result. A careful reader waits until the broker confirms, and drops
//!   what arrives before.
//!
//! ```text
//! cargo run -p mazurka --example pub_sub                        # verified
//! cargo run -p mazurka --example pub_sub -- forgetful-broker    # a message is lost
//! cargo run -p mazurka --example pub_sub -- hasty-reader        # a message arrives too late
//! ```

use mazurka::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Topic {
    Weather,
    Sport,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct News {
    topic: Topic,
    headline: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Request {
    Publish(News),
    Subscribe { topic: Topic, reader: Pid },
    Unsubscribe { topic: Topic, reader: Pid },
}

/// The broker's confirmation: no news about this topic follows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Unsubscribed(Topic);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Broker {
    Forgetful,
    Retaining,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reader {
    Hasty,
    Careful,
}

async fn broker(manner: Broker) {
    daemon();
    let mut readers: BTreeMap<Topic, BTreeSet<Pid>> = BTreeMap::new();
    let mut retained: BTreeMap<Topic, News> = BTreeMap::new();
    loop {
        receive! {
            Request::Publish(news) => {
                for &reader in readers.entry(news.topic).or_default().iter() {
                    send(reader, news.clone());
                }
                if manner == Broker::Retaining {
                    retained.insert(news.topic, news);
                }
            }
            Request::Subscribe { topic, reader } => {
                readers.entry(topic).or_default().insert(reader);
                if let Some(news) = retained.get(&topic) {
                    send(reader, news.clone());
                }
            }
            Request::Unsubscribe { topic, reader } => {
                readers.entry(topic).or_default().remove(&reader);
                send(reader, Unsubscribed(topic));
            }
        }
    }
}

async fn publisher(broker: Pid, topic: Topic, headlines: &'static [&'static str]) {
    for headline in headlines {
        send(broker, Request::Publish(News { topic, headline }));
    }
}

async fn reader(broker: Pid, manner: Reader) {
    let reader = me();
    for topic in [Topic::Weather, Topic::Sport] {
        send(broker, Request::Subscribe { topic, reader });
        let news = receive::<News>().await;
        assert_eq!(news.topic, topic, "this is no news of {topic:?}");
        send(broker, Request::Unsubscribe { topic, reader });
        if manner == Reader::Careful {
            leave(topic).await;
        }
    }
}

/// Drops the news that the broker sent before it received the request.
async fn leave(topic: Topic) {
    loop {
        receive! {
            _late: News => {}
            Unsubscribed(left) if left == topic => break,
        }
    }
}

async fn morning(broker_manner: Broker, reader_manner: Reader) {
    let broker = spawn(move || broker(broker_manner));
    spawn(move || publisher(broker, Topic::Weather, &["Rain", "More rain"]));
    spawn(move || publisher(broker, Topic::Sport, &["A draw"]));
    spawn(move || reader(broker, reader_manner));
}

async fn forgetful_broker() {
    morning(Broker::Forgetful, Reader::Careful).await;
}

async fn hasty_reader() {
    morning(Broker::Retaining, Reader::Hasty).await;
}

async fn fixed() {
    morning(Broker::Retaining, Reader::Careful).await;
}

fn main() -> ExitCode {
    let check = mazurka::Check::new();
    match std::env::args().nth(1).as_deref() {
        Some("forgetful-broker") => check.main(forgetful_broker),
        Some("hasty-reader") => check.main(hasty_reader),
        _ => check.main(fixed),
    }
}

#[cfg(test)]
mod testing;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{errors, explore};

    /// The order in which the broker receives decides everything: W1 before W2 from one publisher, S
    /// from the other, and from the reader its four requests +W −W +S −S in order. With a broker
    /// that retains, −W comes after +W and W1, and −S after +S and S. Without W2 these have
    /// 2 · 5 orders. W2 comes after W1 and has 7 − p places if W1 is the p-th: 1 · 5 + 4 · 6 if
    /// W1 is before +W, and 2 · 4 + 3 · 5 if not.
    const ORDERS: u64 = 29 + 23;

    #[test]
    fn fixed_reads_both_topics() {
        for delivery in [Delivery::P2p, Delivery::Mailbox] {
            let checked = explore(delivery, fixed);
            assert!(checked.passed(), "{}", checked.report);
            assert_eq!(checked.executions, ORDERS);
        }
    }

    /// It goes wrong if W2 comes after +W and W1, in either order, and before −W and +S, and
    /// S at any of 6 places. The orders are the same, but then −S, always the last, is missing.
    #[test]
    fn a_hasty_reader_takes_the_weather_for_sport() {
        for delivery in [Delivery::P2p, Delivery::Mailbox] {
            let checked = explore(delivery, hasty_reader);
            assert_eq!(checked.executions, ORDERS);
            assert_eq!(errors(&checked), [(Kind::Assertion, "P.4", 2 * 6)]);
            let error = checked.errors().next().unwrap();
            assert!(error.message.contains("this is no news of Sport"));
        }
    }

    /// The reader gets no weather report if W1 W2 come before +W, with 4 places for S.
    /// Between them, +W is followed by W2 −W +S, with 6 places for S of which the last is good.
    /// Otherwise +W comes before W1. Then W2 may be before −W, before +S or later, and S comes
    /// too early at 5, 5 or 4 places. If it comes after +S, so does −S, and W2 in the third case
    /// has 3 places beside the two: 1 + 1 + 3 good ways.
    #[test]
    fn a_forgetful_broker_leaves_the_reader_waiting() {
        let (lost, good) = (4 + 5 + (5 + 5 + 4), 1 + (1 + 1 + 3));
        for delivery in [Delivery::P2p, Delivery::Mailbox] {
            let checked = explore(delivery, forgetful_broker);
            assert_eq!(checked.executions, lost + good);
            assert_eq!(errors(&checked), [(Kind::Stuck, "P.4", lost)]);
            let error = checked.errors().next().unwrap();
            assert!(error.message.contains("News"), "{}", error.message);
        }
    }
}
