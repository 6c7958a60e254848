//! Line charts with a logarithmic axis, as a self-contained SVG.

use std::fmt::Write;

/// A chart.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Its title.
    pub title: &'static str,
    /// Its lines; at most as many as there are [`STYLES`].
    pub series: Vec<Series>,
}

/// A line.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend. Series with the same index in different panels have the same name.
    pub name: &'static str,
    /// Its points, from left to right.
    pub points: Vec<Point>,
}

/// A point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Its horizontal position.
    pub x: u32,
    /// Its height, above 0.
    pub y: u64,
    /// Whether it is only a lower bound; drawn hollow.
    pub at_least: bool,
}

const WIDTH: u32 = 840;
const PANEL_WIDTH: f64 = 320.0;
const PANEL_HEIGHT: f64 = 240.0;
/// The left edges of the plotting areas.
const LEFT: [f64; 2] = [70.0, 490.0];
const TOP: f64 = 104.0;
const BOTTOM: f64 = TOP + PANEL_HEIGHT;

/// The class of a line and the shape of its points, which distinguishes lines without colours.
const STYLES: [(&str, Shape); 2] = [("a", Shape::Square), ("b", Shape::Circle)];

#[derive(Clone, Copy)]
enum Shape {
    Circle,
    Square,
}

/// The background is drawn, so that the text can be read whatever page it is on. No CSS
/// variables: not only browsers show SVG.
const CSS: &str = "\
    svg { color: #1f2328; }
    text { font: 12px system-ui, sans-serif; fill: currentColor; }
    .title { font-size: 15px; font-weight: 600; }
    .panel { font-size: 13px; font-weight: 600; }
    .power { font-size: 9px; }
    .axis { stroke: currentColor; fill: none; }
    .line { fill: none; stroke-width: 2; }
    .line.a { stroke-dasharray: 6 4; }
    .point { stroke-width: 2; }
    .back { fill: #ffffff; }
    .grid { stroke: #d0d7de; }
    .a { stroke: #bc4c00; } .point.a { fill: #bc4c00; }
    .b { stroke: #0969da; } .point.b { fill: #0969da; }
    .point.hollow { fill: #ffffff; }
    @media (prefers-color-scheme: dark) {
      svg { color: #e6edf3; }
      .grid { stroke: #30363d; }
      .a { stroke: #ffa657; } .point.a { fill: #ffa657; }
      .b { stroke: #58a6ff; } .point.b { fill: #58a6ff; }
      .back, .point.hollow { fill: #0d1117; }
    }
";

/// Draws two charts side by side.
pub fn draw(title: &str, x_name: &str, y_name: &str, panels: &[Panel; 2]) -> String {
    let hollow = all_points(panels).any(|point| point.at_least);
    let height = if hollow { BOTTOM + 78.0 } else { BOTTOM + 58.0 };
    let mut svg = Svg::default();
    svg.line(&format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">"#
    ));
    svg.line(&format!("<title>{}</title>", escaped(title)));
    svg.line(mazurka_report::files::SVG_MARK);
    svg.line(&format!("<style>\n{CSS}</style>"));
    svg.line(r#"<rect class="back" width="100%" height="100%"/>"#);
    svg.text(20.0, 28.0, "title", "start", title);
    svg.legend(&panels[0]);
    for (panel, left) in panels.iter().zip(LEFT) {
        svg.panel(panel, left, x_name, y_name);
    }
    if hollow {
        let note = "Hollow: stopped before the end, a lower bound; higher bounds were not run.";
        svg.text(20.0, height - 14.0, "note", "start", note);
    }
    svg.line("</svg>");
    svg.out
}

fn all_points(panels: &[Panel]) -> impl Iterator<Item = &Point> {
    let series = panels.iter().flat_map(|panel| &panel.series);
    series.flat_map(|series| &series.points)
}

/// The positions of points in a panel.
struct Scale {
    left: f64,
    /// The greatest x.
    last: u32,
    /// The power of ten at the top.
    top_power: u32,
}

impl Scale {
    fn new(panel: &Panel, left: f64) -> Scale {
        let points = || all_points(std::slice::from_ref(panel));
        Scale {
            left,
            last: points()
                .map(|point| point.x)
                .max()
                .unwrap_or_default()
                .max(1),
            top_power: power_above(points().map(|point| point.y).max().unwrap_or_default()),
        }
    }

    fn x(&self, x: u32) -> f64 {
        self.left + PANEL_WIDTH * f64::from(x) / f64::from(self.last)
    }

    fn y(&self, y: u64) -> f64 {
        self.at_power((y.max(1) as f64).log10())
    }

    fn at_power(&self, power: f64) -> f64 {
        BOTTOM - PANEL_HEIGHT * power / f64::from(self.top_power)
    }
}

/// The least power of ten that is no less than this, at least the first.
fn power_above(y: u64) -> u32 {
    let power = y.max(1).ilog10();
    let exact = 10_u64.checked_pow(power) == Some(y);
    (power + u32::from(!exact)).max(1)
}

#[derive(Default)]
struct Svg {
    out: String,
}

impl Svg {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn text(&mut self, x: f64, y: f64, class: &str, anchor: &str, text: &str) {
        let text = escaped(text);
        self.line(&format!(
            r#"<text class="{class}" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{text}</text>"#
        ));
    }

    fn straight(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.line(&format!(
            r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
        ));
    }

    fn legend(&mut self, panel: &Panel) {
        const Y: f64 = 54.0;
        let mut x = 20.0;
        for (series, (class, shape)) in panel.series.iter().zip(STYLES) {
            self.straight(&format!("line {class}"), (x, Y), (x + 36.0, Y));
            self.point(shape, class, (x + 18.0, Y));
            self.text(x + 44.0, Y + 4.0, "name", "start", series.name);
            x += 240.0;
        }
    }

    fn panel(&mut self, panel: &Panel, left: f64, x_name: &str, y_name: &str) {
        let scale = Scale::new(panel, left);
        let right = left + PANEL_WIDTH;
        self.text(left, TOP - 16.0, "panel", "start", panel.title);
        for power in 0..=scale.top_power {
            let y = scale.at_power(power.into());
            self.straight("grid", (left, y), (right, y));
            let (x, y) = (left - 8.0, y + 4.0);
            self.line(&format!(
                r#"<text x="{x:.1}" y="{y:.1}" text-anchor="end">10<tspan class="power" dy="-5">{power}</tspan></text>"#
            ));
        }
        for x in 0..=scale.last {
            let at = scale.x(x);
            self.straight("axis", (at, BOTTOM), (at, BOTTOM + 5.0));
            self.text(at, BOTTOM + 20.0, "tick", "middle", &x.to_string());
        }
        self.line(&format!(
            r#"<path class="axis" d="M{left:.1} {TOP:.1}V{BOTTOM:.1}H{right:.1}"/>"#
        ));
        self.text(
            (left + right) / 2.0,
            BOTTOM + 42.0,
            "axis-name",
            "middle",
            x_name,
        );
        let (x, y) = (left - 48.0, (TOP + BOTTOM) / 2.0);
        let y_name = escaped(y_name);
        self.line(&format!(
            r#"<text transform="translate({x:.1} {y:.1}) rotate(-90)" text-anchor="middle">{y_name}</text>"#
        ));
        for (series, style) in panel.series.iter().zip(STYLES) {
            self.series(series, style, &scale);
        }
    }

    fn series(&mut self, series: &Series, (class, shape): (&str, Shape), scale: &Scale) {
        let place = |point: &Point| (scale.x(point.x), scale.y(point.y));
        let mut path = String::new();
        for (x, y) in series.points.iter().map(place) {
            let command = if path.is_empty() { 'M' } else { 'L' };
            // Writing to a string does not fail.
            let _ = write!(path, "{command}{x:.1} {y:.1}");
        }
        if !path.is_empty() {
            self.line(&format!(r#"<path class="line {class}" d="{path}"/>"#));
        }
        for point in &series.points {
            let hollow = if point.at_least { " hollow" } else { "" };
            self.point(shape, &format!("{class}{hollow}"), place(point));
        }
    }

    fn point(&mut self, shape: Shape, class: &str, (x, y): (f64, f64)) {
        let text = match shape {
            Shape::Circle => {
                format!(r#"<circle class="point {class}" cx="{x:.1}" cy="{y:.1}" r="4"/>"#)
            }
            Shape::Square => {
                let (x, y) = (x - 3.5, y - 3.5);
                format!(
                    r#"<rect class="point {class}" x="{x:.1}" y="{y:.1}" width="7" height="7"/>"#
                )
            }
        };
        self.line(&text);
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(points: &[(u32, u64, bool)]) -> Panel {
        let point = |&(x, y, at_least)| Point { x, y, at_least };
        let points = points.iter().map(point).collect();
        Panel {
            title: "a < b",
            series: vec![Series {
                name: "line",
                points,
            }],
        }
    }

    #[test]
    fn powers_of_ten() {
        let powers = [0, 1, 2, 10, 11, 100, 101, u64::MAX].map(power_above);
        assert_eq!(powers, [1, 1, 1, 1, 2, 2, 3, 20]);
    }

    #[test]
    fn heights_are_logarithmic() {
        let scale = Scale::new(&panel(&[(0, 1, false), (4, 100, false)]), 70.0);
        assert_eq!((scale.last, scale.top_power), (4, 2));
        assert_eq!((scale.x(0), scale.y(1)), (70.0, BOTTOM));
        assert_eq!((scale.x(4), scale.y(100)), (70.0 + PANEL_WIDTH, TOP));
        assert_eq!(scale.y(10), (TOP + BOTTOM) / 2.0);
    }

    #[test]
    fn hollow_points_are_explained() {
        let full = panel(&[(0, 1, false), (1, 10, false)]);
        let stopped = panel(&[(0, 1, false), (1, 10, true)]);
        let draw = |right: &Panel| draw("title", "x", "y", &[full.clone(), right.clone()]);
        assert!(!draw(&full).contains("Hollow"));
        let svg = draw(&stopped);
        assert!(svg.contains("Hollow: stopped before the end"));
        assert_eq!(svg.matches("hollow\"").count(), 1);
        assert!(svg.contains("a &lt; b") && !svg.contains("a < b"));
    }

    /// No data at all is a chart, too.
    #[test]
    fn empty() {
        let svg = draw("title", "x", "y", &[panel(&[]), panel(&[])]);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
