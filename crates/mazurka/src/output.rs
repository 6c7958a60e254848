//! What a program prints.

/// Prints a line from a process, with its pid before it: silent while executions are explored,
/// shown when one of them is [replayed](crate::replay).
#[macro_export]
macro_rules! println {
    ($($text:tt)*) => {
        if let ::core::option::Option::Some(process) = $crate::private::printing() {
            $crate::private::print(process, &::std::format!($($text)*));
        }
    };
}
