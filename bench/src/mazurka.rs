//! Mazurka itself. NOT MEASURED YET: this module is compiled only with the feature `mazurka`,
//! and until it holds the two functions of [`crate::peers`] (`fan_in` and `client_server`,
//! with a tool name that starts with "mazurka") that feature does not compile. The table shows
//! no Mazurka row and no ratios in the meantime.

compile_error!("src/mazurka.rs does not run the engine yet; build without the feature `mazurka`");
