//! The figure of a definition: pinned for two languages, well-formed for all.

use expect_test::expect;
use source::FileId;

fn figure(name: &str) -> String {
    let (_, text) = crate::corpus::definitions()
        .into_iter()
        .find(|(n, _)| *n == format!("definitions/{name}"))
        .expect("this definition");
    let file = lang::syntax::parse(&text, FileId(0));
    lang::latex::definition(file.langs().next().expect("no errors"))
}

#[test]
fn arith() {
    expect![[r#"
        % The language arith. Needs the packages amsmath and amssymb.
        \providecommand{\langrule}[3]{\dfrac{#2}{#3}\;\textsc{#1}}
        \providecommand{\langaxiom}[2]{#2\;\;\textsc{#1}}
        \begin{figure}
        \small
        \[
        \begin{array}{rcl}
        t & ::= & \mathsf{true} \mid \mathsf{false} \mid 0 \mid \mathsf{succ}\;t \mid \mathsf{pred}\;t \mid \mathsf{iszero}\;t \\
         & \mid & \mathsf{if}\;t\;\mathsf{then}\;t\;\mathsf{else}\;t \\
        \mathit{nv} & ::= & 0 \mid \mathsf{succ}\;\mathit{nv} \\
        v & ::= & \mathsf{true} \mid \mathsf{false} \mid \mathit{nv} \\
        T & ::= & \mathsf{Bool} \mid \mathsf{Nat} \\
        E & ::= & [\,] \mid \mathsf{succ}\;E \mid \mathsf{pred}\;E \mid \mathsf{iszero}\;E \mid \mathsf{if}\;E\;\mathsf{then}\;t\;\mathsf{else}\;t
        \end{array}
        \]
        \noindent\fbox{$\strut \vdash t : T$}
        \begin{gather*}
        \langaxiom{T-True}{\vdash \mathsf{true} : \mathsf{Bool}} \qquad
        \langaxiom{T-False}{\vdash \mathsf{false} : \mathsf{Bool}} \qquad
        \langaxiom{T-Zero}{\vdash 0 : \mathsf{Nat}} \\[1ex]
        \langrule{T-Succ}{\vdash t : \mathsf{Nat}}{\vdash \mathsf{succ}\;t : \mathsf{Nat}} \qquad
        \langrule{T-Pred}{\vdash t : \mathsf{Nat}}{\vdash \mathsf{pred}\;t : \mathsf{Nat}} \qquad
        \langrule{T-IsZero}{\vdash t : \mathsf{Nat}}{\vdash \mathsf{iszero}\;t : \mathsf{Bool}} \\[1ex]
        \langrule{T-If}{\vdash t_{1} : \mathsf{Bool} \quad \vdash t_{2} : T \quad \vdash t_{3} : T}{\vdash \mathsf{if}\;t_{1}\;\mathsf{then}\;t_{2}\;\mathsf{else}\;t_{3} : T}
        \end{gather*}
        \noindent\fbox{$\strut t \longrightarrow t'$}\quad in contexts $E$
        \begin{gather*}
        \langaxiom{E-PredZero}{\mathsf{pred}\;0 \longrightarrow 0} \qquad
        \langaxiom{E-PredSucc}{\mathsf{pred}\;(\mathsf{succ}\;\mathit{nv}) \longrightarrow \mathit{nv}} \\[1ex]
        \langaxiom{E-IsZeroZero}{\mathsf{iszero}\;0 \longrightarrow \mathsf{true}} \qquad
        \langaxiom{E-IsZeroSucc}{\mathsf{iszero}\;(\mathsf{succ}\;\mathit{nv}) \longrightarrow \mathsf{false}} \\[1ex]
        \langaxiom{E-IfTrue}{\mathsf{if}\;\mathsf{true}\;\mathsf{then}\;t_{2}\;\mathsf{else}\;t_{3} \longrightarrow t_{2}} \qquad
        \langaxiom{E-IfFalse}{\mathsf{if}\;\mathsf{false}\;\mathsf{then}\;t_{2}\;\mathsf{else}\;t_{3} \longrightarrow t_{3}}
        \end{gather*}
        \caption{The language arith}
        \end{figure}
    "#]].assert_eq(&figure("arith.lang"));
}

#[test]
fn refs() {
    expect![[r#"
        % The language refs. Needs the packages amsmath and amssymb.
        \providecommand{\langrule}[3]{\dfrac{#2}{#3}\;\textsc{#1}}
        \providecommand{\langaxiom}[2]{#2\;\;\textsc{#1}}
        \begin{figure}
        \small
        \[
        \begin{array}{rcl}
        x & & \text{variables} \\
        l & & \text{locations} \\
        t & ::= & x \mid \mathsf{unit} \mid \lambda x{:}T.\;t \mid t\;t \mid \mathsf{ref}\;t \mid {!}\;t \mid t \mathrel{:=} t \mid l \\
        T & ::= & \mathsf{Unit} \mid \mathsf{Ref}\;T \mid T \to T \\
        v & ::= & \mathsf{unit} \mid \lambda x{:}T.\;t \mid l \\
        E & ::= & [\,] \mid E\;t \mid v\;E \mid \mathsf{ref}\;E \mid {!}\;E \mid E \mathrel{:=} t \mid v \mathrel{:=} E \\
        s & ::= & \langle t, \mu \rangle \\
        W & ::= & \langle E, \mu \rangle \\
        \Gamma & ::= & \cdot \mid \Gamma, x{:}T \\
        \Sigma & ::= & \cdot \mid \Sigma, l{:}T \\
        \mu & ::= & \cdot \mid \mu, l \mapsto v
        \end{array}
        \]
        \noindent\fbox{$\strut \Gamma \mid \Sigma \vdash t : T$}
        \begin{gather*}
        \langaxiom{T-Unit}{\Gamma \mid \Sigma \vdash \mathsf{unit} : \mathsf{Unit}} \qquad
        \langrule{T-Var}{x{:}T \in \Gamma}{\Gamma \mid \Sigma \vdash x : T} \qquad
        \langrule{T-Loc}{l{:}T \in \Sigma}{\Gamma \mid \Sigma \vdash l : \mathsf{Ref}\;T} \\[1ex]
        \langrule{T-Abs}{\Gamma, x{:}T_{1} \mid \Sigma \vdash t : T_{2}}{\Gamma \mid \Sigma \vdash \lambda x{:}T_{1}.\;t : T_{1} \to T_{2}} \qquad
        \langrule{T-App}{\Gamma \mid \Sigma \vdash t_{1} : T_{1} \to T_{2} \quad \Gamma \mid \Sigma \vdash t_{2} : T_{1}}{\Gamma \mid \Sigma \vdash t_{1}\;t_{2} : T_{2}} \\[1ex]
        \langrule{T-Assign}{\Gamma \mid \Sigma \vdash t_{1} : \mathsf{Ref}\;T \quad \Gamma \mid \Sigma \vdash t_{2} : T}{\Gamma \mid \Sigma \vdash t_{1} \mathrel{:=} t_{2} : \mathsf{Unit}} \qquad
        \langrule{T-Ref}{\Gamma \mid \Sigma \vdash t : T}{\Gamma \mid \Sigma \vdash \mathsf{ref}\;t : \mathsf{Ref}\;T} \\[1ex]
        \langrule{T-Deref}{\Gamma \mid \Sigma \vdash t : \mathsf{Ref}\;T}{\Gamma \mid \Sigma \vdash {!}\;t : T}
        \end{gather*}
        \noindent\fbox{$\strut \Sigma \vdash \mu$}
        \begin{gather*}
        \langrule{Store}{\operatorname{dom}\;\Sigma = \operatorname{dom}\;\mu \quad \forall l{:}T \in \Sigma.\;\cdot \mid \Sigma \vdash \mu(l) : T}{\Sigma \vdash \mu}
        \end{gather*}
        \noindent\fbox{$\strut s \longrightarrow s'$}\quad in contexts $W$
        \begin{gather*}
        \langaxiom{E-Beta}{\langle (\lambda x{:}T.\;t)\;v, \mu \rangle \longrightarrow \langle t[v/x], \mu \rangle} \qquad
        \langaxiom{E-Deref}{\langle {!}\;l, \mu \rangle \longrightarrow \langle \mu(l), \mu \rangle} \\[1ex]
        \langaxiom{E-Assign}{\langle l \mathrel{:=} v, \mu \rangle \longrightarrow \langle \mathsf{unit}, \mu[l \mapsto v] \rangle} \\[1ex]
        \langrule{E-Ref}{\text{fresh}\;l}{\langle \mathsf{ref}\;v, \mu \rangle \longrightarrow \langle l, (\mu, l \mapsto v) \rangle}
        \end{gather*}
        \caption{The language refs}
        \end{figure}
    "#]].assert_eq(&figure("refs.lang"));
}

/// Braces and environments are closed in order, nothing is left that TeX would take for a command of its own.
fn problems(text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let text: String = text.lines().filter(|l| !l.starts_with('%')).map(|l| format!("{l}\n")).collect();
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("\\begin{") {
            open.push(after.split('}').next().unwrap_or("").to_string());
        } else if let Some(after) = rest.strip_prefix("\\end{") {
            let name = after.split('}').next().unwrap_or("").to_string();
            if open.pop() != Some(name.clone()) {
                problems.push(format!("\\end{{{name}}}"));
            }
        }
        let mut step = c.len_utf8();
        match c {
            '\\' => {
                step += rest[1..].chars().next().map_or(0, char::len_utf8);
            }
            '{' => open.push("{".to_string()),
            '}' if open.pop() != Some("{".to_string()) => problems.push(format!("a brace before {rest:.20}")),
            '%' | '~' | '^' => problems.push(format!("{rest:.20}")),
            c if !c.is_ascii() => problems.push(format!("'{c}' is no character of plain TeX")),
            _ => {}
        }
        rest = &rest[step..];
    }
    problems.extend(open);
    problems
}

#[test]
fn every_figure_is_well_formed() {
    for (name, text) in crate::corpus::definitions() {
        let file = lang::syntax::parse(&text, FileId(0));
        for lang in file.langs() {
            let figure = lang::latex::definition(lang);
            assert_eq!(problems(&figure), Vec::<String>::new(), "{name}: {}\n{figure}", lang.name);
        }
    }
}
