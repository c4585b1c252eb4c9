//! Procedures of the library modules that every program knows (docs/hob.md, "Library"). They change no set; what they return is unknown
//! to every analysis, but `Sockets.accept` makes a new object.

use Shape::*;

/// The types that the library speaks of. Those with a name of their own are types of objects, of programs that mention them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    Nothing,
    Int,
    Bool,
    Float,
    String,
    Char,
    Byte,
    /// `byte[]`
    Bytes,
    /// `int[]`
    Ints,
    /// `int[][]`
    Image,
    StringBuffer,
    FileDescr,
    FileStats,
    InChannel,
    OutChannel,
}

impl Shape {
    /// Of a type of objects.
    pub fn object(self) -> Option<&'static str> {
        Some(match self {
            StringBuffer => "StringBuffer",
            FileDescr => "file_descr",
            FileStats => "file_stats",
            InChannel => "in_channel",
            OutChannel => "out_channel",
            _ => return None,
        })
    }

    /// The library's type of objects of that name.
    pub fn named(name: &str) -> Option<&'static str> {
        let all = [StringBuffer, FileDescr, FileStats, InChannel, OutChannel];
        all.into_iter().filter_map(Shape::object).find(|object| *object == name)
    }
}

macro_rules! intrinsics {
    (
        $($(#[$doc:meta])* $variant:ident = $module:literal $name:literal ($($formal:ident),*) $result:ident;)*
        ;
        $($constant:ident = $of:literal $called:literal $value:literal;)*
    ) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Intrinsic { $($(#[$doc])* $variant,)* $($constant),* }

        /// Module, name, formals, result.
        const TABLE: &[(Intrinsic, &str, &str, &[Shape], Shape)] = &[
            $((Intrinsic::$variant, $module, $name, &[$($formal),*], $result),)*
            $((Intrinsic::$constant, $of, $called, &[], Int)),*
        ];

        impl Intrinsic {
            /// What a procedure without arguments always returns.
            pub fn constant(self) -> Option<i32> {
                match self {
                    $(Intrinsic::$constant => Some($value),)*
                    _ => None,
                }
            }
        }
    };
}

intrinsics! {
    Print = "Console" "print" (String) Nothing;
    PrintLine = "Console" "println" (String) Nothing;
    /// Without its end; "" at the end of the input.
    ReadLine = "Console" "readLine" () String;
    AtEnd = "Console" "atEnd" () Bool;
    TextLength = "Strings" "length" (String) Int;
    CharAt = "Strings" "charAt" (String, Int) Char;
    Substring = "Strings" "substring" (String, Int, Int) String;
    TextEquals = "Strings" "equals" (String, String) Bool;
    IndexOf = "Strings" "indexOf" (String, String) Int;
    Trim = "Strings" "trim" (String) String;
    IsInt = "Strings" "isInt" (String) Bool;
    ToInt = "Strings" "toInt" (String) Int;
    IsFloat = "Strings" "isFloat" (String) Bool;
    TextToFloat = "Strings" "toFloat" (String) Float;
    FromInt = "Strings" "fromInt" (Int) String;
    /// With so many digits after the point.
    FromFloat = "Strings" "fromFloat" (Float, Int) String;
    FromChar = "Strings" "fromChar" (Char) String;
    /// Part number n of a text split at white space; "" if there is none.
    Word = "Strings" "word" (String, Int) String;
    Sqrt = "Math" "sqrt" (Float) Float;
    Exp = "Math" "exp" (Float) Float;
    Log = "Math" "log" (Float) Float;
    Pow = "Math" "pow" (Float, Float) Float;
    Sin = "Math" "sin" (Float) Float;
    Cos = "Math" "cos" (Float) Float;
    Abs = "Math" "abs" (Float) Float;
    Floor = "Math" "floor" (Float) Float;
    Round = "Math" "round" (Float) Int;
    Truncate = "Math" "toInt" (Float) Int;
    IntToFloat = "Math" "toFloat" (Int) Float;
    /// Starts the random numbers anew.
    Seed = "Math" "seed" (Int) Nothing;
    /// At least 0 and less than its argument.
    Random = "Math" "random" (Int) Int;
    /// At least 0 and less than 1.
    RandomFloat = "Math" "randomFloat" () Float;
    FileExists = "Files" "exists" (String) Bool;
    /// Line number n, from 0 on; "" beyond the end.
    FileLine = "Files" "line" (String, Int) String;
    FileLines = "Files" "lines" (String) Int;
    ReadInt = "System" "read_int" () Int;
    Errno = "System" "errno" () Int;
    ReadFloat = "System" "read_float" () Float;
    /// Seconds since 1970.
    Time = "System" "time" () Float;
    Eof = "System" "eof" () Bool;
    PrintInt = "System" "print_int" (Int) Nothing;
    PrintFloat = "System" "print_float" (Float) Nothing;
    PrintString = "System" "print_string" (String) Nothing;
    PrintStringbuffer = "System" "print_stringbuffer" (StringBuffer) Nothing;
    OutputString = "System" "output_string" (OutChannel, String) Nothing;
    Output = "System" "output" (OutChannel, Bytes, Int, Int) Nothing;
    InChannelOf = "System" "in_channel_of_file_descr" (FileDescr) InChannel;
    OutChannelOf = "System" "out_channel_of_file_descr" (FileDescr) OutChannel;
    FloatOfInt = "System" "float_of_int" (Int) Float;
    IntOfFloat = "System" "int_of_float" (Float) Int;
    CharOfInt = "System" "char_of_int" (Int) Char;
    ByteOfInt = "System" "byte_of_int" (Int) Byte;
    StringOfInt = "System" "string_of_int" (Int) String;
    BytesOfString = "System" "byte_array_of_string" (String) Bytes;
    StringOfStringbuffer = "System" "string_of_stringbuffer" (StringBuffer) String;
    IntOfString = "System" "int_of_string" (String) Int;
    FloatOfString = "System" "float_of_string" (String) Float;
    OpenIn = "System" "open_in" (String) InChannel;
    /// Without its end; "" at the end of the file.
    InputLine = "System" "input_line" (InChannel) String;
    CloseIn = "System" "close_in" (InChannel) Nothing;
    CloseOut = "System" "close_out" (OutChannel) Nothing;
    Flush = "System" "flush" (OutChannel) Nothing;
    Exit = "System" "exit" (Int) Nothing;
    MimeTime = "System" "mime_time" (Float) String;
    UnmimeTime = "System" "unmime_time" (String) Float;
    /// How many bytes were read: into the buffer from a place on, at most so many.
    FileRead = "System" "read" (FileDescr, StringBuffer, Int, Int) Int;
    FileWrite = "System" "write" (FileDescr, String, Int, Int) Int;
    OpenFile = "System" "openfile" (String, Int, Int) FileDescr;
    Fstat = "System" "fstat" (FileDescr) FileStats;
    StSize = "System" "st_size" (FileStats) Int;
    StKind = "System" "st_kind" (FileStats) Int;
    StMtime = "System" "st_mtime" (FileStats) Float;
    Close = "System" "close" (FileDescr) Nothing;
    SystemRandom = "System" "random" (Int) Int;
    Srand = "System" "srand" (Int) Nothing;
    ArrayCopy = "System" "arraycopy" (Bytes, Int, Bytes, Int, Int) Nothing;
    Get = "String" "get" (String, Int) Char;
    StringAfter = "String" "string_after" (String, Int) String;
    StringBefore = "String" "string_before" (String, Int) String;
    /// -1 if it is not there.
    Index = "String" "index" (String, Char) Int;
    Rindex = "String" "rindex" (String, Char) Int;
    Contains = "String" "contains" (String, Char) Bool;
    StringLength = "String" "length" (String) Int;
    Make = "String" "make" (Int, Char) String;
    Chr = "String" "chr" (Int) String;
    Socket = "Sockets" "socket" (Int) FileDescr;
    Bind = "Sockets" "bind" (FileDescr, Int) Nothing;
    Listen = "Sockets" "listen" (FileDescr, Int) Int;
    /// A new object.
    Accept = "Sockets" "accept" (FileDescr) FileDescr;
    InetAddr = "Sockets" "string_of_inet_addr_of_socket" (FileDescr) String;
    CurrentPointX = "Graphics" "current_point_x" () Int;
    CurrentPointY = "Graphics" "current_point_y" () Int;
    LastClickX = "Graphics" "last_click_x" () Int;
    LastClickY = "Graphics" "last_click_y" () Int;
    CloseGraph = "Graphics" "close_graph" () Nothing;
    KeyPressed = "Graphics" "key_pressed" () Bool;
    KeypressedToo = "Graphics" "keypressed" () Bool;
    LastKeyPressed = "Graphics" "last_key_pressed" () Char;
    OpenGraph = "Graphics" "open_graph" (String) Nothing;
    Colour = "Graphics" "colour" (String) Int;
    SetColour = "Graphics" "set_colour" (Int) Nothing;
    SetLineWidth = "Graphics" "set_line_width" (Int) Nothing;
    Moveto = "Graphics" "moveto" (Int, Int) Nothing;
    Lineto = "Graphics" "lineto" (Int, Int) Nothing;
    FillCircle = "Graphics" "fill_circle" (Int, Int, Int) Nothing;
    FillRect = "Graphics" "fill_rect" (Int, Int, Int, Int) Nothing;
    FillPoly = "Graphics" "fill_poly" (Ints, Ints) Nothing;
    TextSizeX = "Graphics" "text_size_x" (String) Int;
    TextSizeY = "Graphics" "text_size_y" (String) Int;
    DrawString = "Graphics" "draw_string" (String) Nothing;
    GetImage = "Graphics" "get_image" (Int, Int, Int, Int) Image;
    DrawImage = "Graphics" "draw_image" (Image, Int, Int) Nothing;
    WaitNextEvent = "Graphics" "wait_next_event" (Int) Nothing;
    CrcReset = "CRC" "reset" () Nothing;
    CrcValue = "CRC" "getValue" () Int;
    CrcUpdate = "CRC" "update" (Bytes) Nothing;
    NeedsInput = "Zip" "needs_input" () Bool;
    Adler = "Zip" "adler" () Int;
    Finish = "Zip" "finish" () Nothing;
    ZipReset = "Zip" "reset" () Nothing;
    End = "Zip" "end" () Nothing;
    SetInput = "Zip" "set_input" (Bytes) Nothing;
    Deflate = "Zip" "deflate" (Bytes, Int, Int) Int;
    ;
    ORdonly = "System" "O_RDONLY" 0;
    OWronly = "System" "O_WRONLY" 1;
    ORdwr = "System" "O_RDWR" 2;
    ONonblock = "System" "O_NONBLOCK" 2048;
    OAppend = "System" "O_APPEND" 1024;
    OCreat = "System" "O_CREAT" 64;
    OTrunc = "System" "O_TRUNC" 512;
    OExcl = "System" "O_EXCL" 128;
    ONoctty = "System" "O_NOCTTY" 256;
    ODsync = "System" "O_DSYNC" 4096;
    OSync = "System" "O_SYNC" 1052672;
    ORsync = "System" "O_RSYNC" 1052672;
    SReg = "System" "S_REG" 0;
    SDir = "System" "S_DIR" 1;
    SChr = "System" "S_CHR" 2;
    SBlk = "System" "S_BLK" 3;
    SLnk = "System" "S_LNK" 4;
    SFifo = "System" "S_FIFO" 5;
    SSock = "System" "S_SOCK" 6;
    Eacces = "System" "EACCES" 13;
    Enotdir = "System" "ENOTDIR" 20;
    Eloop = "System" "ELOOP" 40;
    PfUnix = "Sockets" "PF_UNIX" 1;
    PfInet = "Sockets" "PF_INET" 2;
    SockStream = "Sockets" "SOCK_STREAM" 1;
    SockDgram = "Sockets" "SOCK_DGRAM" 2;
    SockSeqpacket = "Sockets" "SOCK_SEQPACKET" 5;
    SockRaw = "Sockets" "SOCK_RAW" 3;
    KeyPressedEvent = "Graphics" "KEY_PRESSED" 1;
    ButtonDown = "Graphics" "BUTTON_DOWN" 2;
    ButtonUp = "Graphics" "BUTTON_UP" 4;
}

impl Intrinsic {
    pub fn find(module: &str, name: &str) -> Option<Intrinsic> {
        TABLE.iter().find(|row| row.1 == module && row.2 == name).map(|row| row.0)
    }

    pub fn is_module(name: &str) -> bool {
        TABLE.iter().any(|row| row.1 == name)
    }

    fn row(self) -> &'static (Intrinsic, &'static str, &'static str, &'static [Shape], Shape) {
        &TABLE[self as usize]
    }

    pub fn module(self) -> &'static str {
        self.row().1
    }

    pub fn name(self) -> &'static str {
        self.row().2
    }

    pub fn formals(self) -> &'static [Shape] {
        self.row().3
    }

    pub fn result(self) -> Shape {
        self.row().4
    }

    /// The library's modules, each once.
    pub fn modules() -> Vec<&'static str> {
        let mut all: Vec<&str> = TABLE.iter().map(|row| row.1).collect();
        all.dedup();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The names of a module's procedures.
    pub fn of_module(module: &str) -> impl Iterator<Item = &'static str> {
        TABLE.iter().filter(move |row| row.1 == module).map(|row| row.2)
    }
}
