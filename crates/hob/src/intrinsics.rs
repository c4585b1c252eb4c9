//! Procedures of the library modules that every program knows (docs/hob.md, "Library"). They change no set; what they return is unknown
//! to every analysis.

use crate::program::Type;

macro_rules! intrinsics {
    ($($(#[$doc:meta])* $variant:ident = $module:literal $name:literal ($($formal:ident),*) $result:ident;)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Intrinsic { $($(#[$doc])* $variant),* }

        /// Module, name, formals, result.
        const TABLE: &[(Intrinsic, &str, &str, &[Type], Type)] =
            &[$((Intrinsic::$variant, $module, $name, &[$(Type::$formal),*], Type::$result)),*];
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
}

impl Intrinsic {
    pub fn find(module: &str, name: &str) -> Option<Intrinsic> {
        TABLE.iter().find(|row| row.1 == module && row.2 == name).map(|row| row.0)
    }

    pub fn is_module(name: &str) -> bool {
        TABLE.iter().any(|row| row.1 == name)
    }

    fn row(self) -> &'static (Intrinsic, &'static str, &'static str, &'static [Type], Type) {
        &TABLE[self as usize]
    }

    pub fn module(self) -> &'static str {
        self.row().1
    }

    pub fn name(self) -> &'static str {
        self.row().2
    }

    pub fn formals(self) -> &'static [Type] {
        self.row().3
    }

    pub fn result(self) -> Type {
        self.row().4.clone()
    }

    /// The names of a module's procedures.
    pub fn of_module(module: &str) -> impl Iterator<Item = &'static str> {
        TABLE.iter().filter(move |row| row.1 == module).map(|row| row.2)
    }
}
