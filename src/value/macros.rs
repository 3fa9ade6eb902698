//! The `ubjson!` macro.

/// Makes a [`Value`](crate::Value) of JSON with Rust expressions in it.
///
/// Values may be expressions of whatever can be written, keys of whatever becomes a key (`&str`,
/// `String`, `Arc<str>`). Commas may trail.
///
/// ```
/// use ubjson::ubjson;
///
/// let id = 7_u16;
/// let value = ubjson!({
///     "id": id,
///     "tags": ["a", 'b', null, true, -1.5],
///     "x".repeat(2): {"nested": [[], {}]},
///     "bits": [id & 1, id >> 1],
/// });
/// assert_eq!(
///     value.to_string(),
///     r#"{"id":7,"tags":["a","b",null,true,-1.5],"xx":{"nested":[[],{}]},"bits":[1,3]}"#,
/// );
/// ```
///
/// # Panics
///
/// If an expression's value cannot be written: see [`to_value`](crate::to_value).
#[macro_export]
macro_rules! ubjson {
    // The elements of an array: @array [done] rest. Each element is looked at for `null`, brackets
    // and braces before it is taken for an expression.
    (@array [$($done:expr,)*]) => { [$($done,)*] };
    (@array [$($done:expr,)*] null $(, $($rest:tt)*)?) => {
        $crate::ubjson!(@array [$($done,)* $crate::ubjson!(null),] $($($rest)*)?)
    };
    (@array [$($done:expr,)*] [$($inner:tt)*] $(, $($rest:tt)*)?) => {
        $crate::ubjson!(@array [$($done,)* $crate::ubjson!([$($inner)*]),] $($($rest)*)?)
    };
    (@array [$($done:expr,)*] {$($inner:tt)*} $(, $($rest:tt)*)?) => {
        $crate::ubjson!(@array [$($done,)* $crate::ubjson!({$($inner)*}),] $($($rest)*)?)
    };
    (@array [$($done:expr,)*] $element:expr $(, $($rest:tt)*)?) => {
        $crate::ubjson!(@array [$($done,)* $crate::ubjson!($element),] $($($rest)*)?)
    };

    // The entries of an object: @object map [key so far] rest. A key is all up to a colon; then the
    // value, as above.
    (@object $map:ident []) => {};
    (@object $map:ident [] ($key:expr): $($rest:tt)*) => {
        $crate::ubjson!(@value $map ($key) $($rest)*)
    };
    (@object $map:ident [$($key:tt)+] : $($rest:tt)*) => {
        $crate::ubjson!(@value $map ($($key)+) $($rest)*)
    };
    (@object $map:ident [$($key:tt)*] $next:tt $($rest:tt)*) => {
        $crate::ubjson!(@object $map [$($key)* $next] $($rest)*)
    };
    (@value $map:ident ($key:expr) null $(, $($rest:tt)*)?) => {
        $crate::ubjson!(@entry $map ($key) ($crate::ubjson!(null)) $($($rest)*)?)
    };
    (@value $map:ident ($key:expr) [$($inner:tt)*] $(, $($rest:tt)*)?) => {
        $crate::ubjson!(@entry $map ($key) ($crate::ubjson!([$($inner)*])) $($($rest)*)?)
    };
    (@value $map:ident ($key:expr) {$($inner:tt)*} $(, $($rest:tt)*)?) => {
        $crate::ubjson!(@entry $map ($key) ($crate::ubjson!({$($inner)*})) $($($rest)*)?)
    };
    (@value $map:ident ($key:expr) $value:expr $(, $($rest:tt)*)?) => {
        $crate::ubjson!(@entry $map ($key) ($crate::ubjson!($value)) $($($rest)*)?)
    };
    (@entry $map:ident ($key:expr) ($value:expr) $($rest:tt)*) => {
        $map.insert($key, $value);
        $crate::ubjson!(@object $map [] $($rest)*)
    };

    (null) => { $crate::Value::Null };
    ([$($elements:tt)*]) => {
        <$crate::Value as ::core::convert::From<$crate::value::Array>>::from(
            <$crate::value::Array as ::core::iter::FromIterator<$crate::Value>>::from_iter(
                $crate::ubjson!(@array [] $($elements)*),
            ),
        )
    };
    ({$($entries:tt)*}) => {{
        #[allow(unused_mut)]
        let mut map = $crate::Map::new();
        $crate::ubjson!(@object map [] $($entries)*);
        $crate::Value::Object(map)
    }};
    ($value:expr) => {
        match $crate::to_value(&$value) {
            ::core::result::Result::Ok(value) => value,
            ::core::result::Result::Err(error) => ::core::panic!("ubjson!: {}", error),
        }
    };
}
