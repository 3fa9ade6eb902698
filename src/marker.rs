//! The alphabet of UBJSON draft 12: the one place that knows a letter.

use core::fmt;

/// The markers as bytes, for dispatch without a detour over [`Marker`].
pub(crate) mod byte {
    pub(crate) const NULL: u8 = b'Z';
    pub(crate) const NO_OP: u8 = b'N';
    pub(crate) const TRUE: u8 = b'T';
    pub(crate) const FALSE: u8 = b'F';
    pub(crate) const INT8: u8 = b'i';
    pub(crate) const UINT8: u8 = b'U';
    pub(crate) const INT16: u8 = b'I';
    pub(crate) const INT32: u8 = b'l';
    pub(crate) const INT64: u8 = b'L';
    pub(crate) const FLOAT32: u8 = b'd';
    pub(crate) const FLOAT64: u8 = b'D';
    pub(crate) const HIGH_PRECISION: u8 = b'H';
    pub(crate) const CHAR: u8 = b'C';
    pub(crate) const STRING: u8 = b'S';
    pub(crate) const ARRAY_START: u8 = b'[';
    pub(crate) const ARRAY_END: u8 = b']';
    pub(crate) const OBJECT_START: u8 = b'{';
    pub(crate) const OBJECT_END: u8 = b'}';
    pub(crate) const TYPE: u8 = b'$';
    pub(crate) const COUNT: u8 = b'#';
}

/// A marker that starts a value (Draft 12, Type Reference).
///
/// The no-op, the closing markers and the header markers `$` and `#` start none and are not
/// among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Marker {
    /// `Z`, no payload.
    Null = byte::NULL,
    /// `T`, no payload.
    True = byte::TRUE,
    /// `F`, no payload.
    False = byte::FALSE,
    /// `i`, one byte.
    Int8 = byte::INT8,
    /// `U`, one byte.
    Uint8 = byte::UINT8,
    /// `I`, two bytes, big-endian.
    Int16 = byte::INT16,
    /// `l`, four bytes, big-endian.
    Int32 = byte::INT32,
    /// `L`, eight bytes, big-endian.
    Int64 = byte::INT64,
    /// `d`, four bytes, IEEE 754 single precision, big-endian.
    Float32 = byte::FLOAT32,
    /// `D`, eight bytes, IEEE 754 double precision, big-endian.
    Float64 = byte::FLOAT64,
    /// `H`, a length and the text of a JSON number.
    HighPrecision = byte::HIGH_PRECISION,
    /// `C`, one byte, 0 to 127.
    Char = byte::CHAR,
    /// `S`, a length and UTF-8 text.
    String = byte::STRING,
    /// `[`, the start of an array.
    Array = byte::ARRAY_START,
    /// `{`, the start of an object.
    Object = byte::OBJECT_START,
}

impl Marker {
    /// The marker that `byte` is, if it starts a value.
    ///
    /// ```
    /// use ubjson::Marker;
    ///
    /// assert_eq!(Marker::from_byte(b'U'), Some(Marker::Uint8));
    /// assert_eq!(Marker::from_byte(b']'), None);
    /// ```
    #[must_use]
    pub const fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            byte::NULL => Self::Null,
            byte::TRUE => Self::True,
            byte::FALSE => Self::False,
            byte::INT8 => Self::Int8,
            byte::UINT8 => Self::Uint8,
            byte::INT16 => Self::Int16,
            byte::INT32 => Self::Int32,
            byte::INT64 => Self::Int64,
            byte::FLOAT32 => Self::Float32,
            byte::FLOAT64 => Self::Float64,
            byte::HIGH_PRECISION => Self::HighPrecision,
            byte::CHAR => Self::Char,
            byte::STRING => Self::String,
            byte::ARRAY_START => Self::Array,
            byte::OBJECT_START => Self::Object,
            _ => return None,
        })
    }

    /// The byte on the wire.
    #[must_use]
    pub const fn to_byte(self) -> u8 {
        self as u8
    }

    /// The number of payload bytes, where the marker alone decides it.
    ///
    /// ```
    /// use ubjson::Marker;
    ///
    /// assert_eq!(Marker::Float64.payload_len(), Some(8));
    /// assert_eq!(Marker::String.payload_len(), None);
    /// ```
    #[must_use]
    pub const fn payload_len(self) -> Option<usize> {
        match self {
            Self::Null | Self::True | Self::False => Some(0),
            Self::Int8 | Self::Uint8 | Self::Char => Some(1),
            Self::Int16 => Some(2),
            Self::Int32 | Self::Float32 => Some(4),
            Self::Int64 | Self::Float64 => Some(8),
            Self::HighPrecision | Self::String | Self::Array | Self::Object => None,
        }
    }

    /// The fewest bytes that can follow the marker: a lower bound that a reader may rely on.
    pub(crate) const fn min_payload_len(self) -> u64 {
        match self {
            Self::Null | Self::True | Self::False => 0,
            Self::Int8 | Self::Uint8 | Self::Char => 1,
            Self::Int16 => 2,
            Self::Int32 | Self::Float32 => 4,
            Self::Int64 | Self::Float64 => 8,
            // A length marker and a one-byte length.
            Self::String => 2,
            // The same, and a digit.
            Self::HighPrecision => 3,
            // The closing marker.
            Self::Array | Self::Object => 1,
        }
    }

    /// What the marker stands for, as the error texts name it.
    ///
    /// ```
    /// assert_eq!(ubjson::Marker::Uint8.name(), "uint8");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::True => "true",
            Self::False => "false",
            Self::Int8 => "int8",
            Self::Uint8 => "uint8",
            Self::Int16 => "int16",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Float32 => "float32",
            Self::Float64 => "float64",
            Self::HighPrecision => "high-precision number",
            Self::Char => "char",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

/// The bytes of a scalar of fixed size with its marker, by the marker's byte; 0 for all others, and
/// for chars, since not every payload is one.
#[expect(clippy::cast_possible_truncation, reason = "no fixed size is above 8")]
pub(crate) const FIXED_TOKEN_LEN: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    loop {
        if let Some(marker) = Marker::from_byte(byte) {
            if let (Some(len), false) = (marker.payload_len(), matches!(marker, Marker::Char)) {
                table[byte as usize] = 1 + len as u8;
            }
        }
        if byte == u8::MAX {
            break table;
        }
        byte += 1;
    }
};

/// The bytes of an integer's payload, and a mask that takes its sign away where it has none, by the
/// marker's byte; 0 bytes for all others.
pub(crate) const INTEGER_FORMS: [(u8, i64); 256] = {
    let mut forms = [(0, 0); 256];
    forms[byte::INT8 as usize] = (1, -1);
    forms[byte::UINT8 as usize] = (1, 0xff);
    forms[byte::INT16 as usize] = (2, -1);
    forms[byte::INT32 as usize] = (4, -1);
    forms[byte::INT64 as usize] = (8, -1);
    forms
};

/// The letter and the name: `` `U` (uint8) ``.
impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({})", self.to_byte() as char, self.name())
    }
}
