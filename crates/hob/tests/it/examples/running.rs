//! What the examples print, for an input each; every contract is looked at while they run.

use super::{examples, load, texts};
use expect_test::{Expect, expect};
use hob::interp::{self, Script};

/// What a program prints, with every contract looked at on the way.
#[track_caller]
fn prints(example: &str, input: &str, expected: Expect) {
    let program = load(&texts(&examples().join(example))).unwrap();
    let entry = interp::entry_point(&program).unwrap();
    let mut world = Script::reading(input);
    let options = interp::Options { check_contracts: true, ..Default::default() };
    let outcome = interp::run(&program, entry, &[], &mut world, &options);
    assert_eq!(outcome.diagnostic(&program), None);
    // The set of marks of ctas is of a module whose code is not there.
    let is_evaluated = outcome.checks.skipped == 0 || example == "ctas";
    assert!(outcome.checks.evaluated > 0 && is_evaluated, "{:?}", outcome.checks);
    let trimmed: Vec<&str> = world.output.lines().map(str::trim_end).collect();
    expected.assert_eq(&(trimmed.join("\n") + "\n"));
}

#[test]
fn the_small_programs_run() {
    prints(
        "scheduler",
        "",
        expect![[r#"
        round 1: editor
        round 1: compiler
        round 2: editor
        round 2: compiler
        round 3: editor
        round 3: compiler
        the compiler is done
        round 4: editor
    "#]],
    );
    prints(
        "prodcons",
        "",
        expect![[r#"
        item 1: 1
        item 2: 4
        item 3: 9
        item 4: 16
        item 5: 25
        item 6: 36
        item 7: 49
        item 8: 64
        item 9: 81
        item 10: 100
        the sum of 10 squares is 385
        Answer calls at the port, or 0:
    "#]],
    );
    prints(
        "ctas",
        "",
        expect![[r#"
        GB 101: handed over from north to south
        GB 101: landed
        GB 202: landed
        Their tracks on the radar (y or n)?
    "#]],
    );
    prints(
        "compiler",
        "",
        expect![[r#"
        (1 + 2) * (3 + 4)
          push 21
        2 * 3 * x + 4 * 5
          push 6
          load x
          multiply
          push 20
          add
        (x + 1 * 0) * (6 + 6)
          load x
          push 0
          add
          push 12
          multiply
        Pack the sources (y or n)?
    "#]],
    );
}

/// Sockets, graphics, checksums and packing are not performed: the run says so where it gets there.
#[test]
fn what_is_not_performed_ends_a_run() {
    for (example, input, ends_at) in
        [("prodcons", "80", "Sockets.socket"), ("ctas", "y", "Graphics.open_graph"), ("compiler", "y", "CRC.reset")]
    {
        let program = load(&texts(&examples().join(example))).unwrap();
        let entry = interp::entry_point(&program).unwrap();
        let mut world = Script::reading(input);
        let outcome = interp::run(&program, entry, &[], &mut world, &interp::Options::default());
        let told = outcome.diagnostic(&program).unwrap();
        assert_eq!(told.message, format!("{ends_at} is not performed here"), "{example}");
    }
}

/// The two mines are marked, all other cells exposed.
#[test]
fn minesweeper_is_won() {
    prints(
        "minesweeper",
        "4 9\ne 0 0\nm 2 0\nm 0 2\no 1 1\no 2 2\ne 3 0\ne 0 3\n",
        expect![[r#"
        Minesweeper. Size of the board (4 to 10) and a number to shuffle by, or return:
          e COLUMN ROW   expose a cell
          m COLUMN ROW   mark a cell as mined, or take the mark away
          c COLUMN ROW   cover an exposed cell again
          o COLUMN ROW   open what is around an exposed cell, if its mines are marked
          h              this help
          q              give up
            0 1 2 3
           +--------+
         0 |# # # # |
         1 |# # # # |
         2 |# # # # |
         3 |# # # # |
        2 mines are not marked yet.
        >     0 1 2 3
           +--------+
         0 |  1 # # |
         1 |1 2 # # |
         2 |# # # # |
         3 |# # # # |
        2 mines are not marked yet.
        >     0 1 2 3
           +--------+
         0 |  1 ! # |
         1 |1 2 # # |
         2 |# # # # |
         3 |# # # # |
        1 mine is not marked yet.
        >     0 1 2 3
           +--------+
         0 |  1 ! # |
         1 |1 2 # # |
         2 |! # # # |
         3 |# # # # |
        0 mines are not marked yet.
        >     0 1 2 3
           +--------+
         0 |  1 ! # |
         1 |1 2 1 1 |
         2 |! 1     |
         3 |# 1     |
        0 mines are not marked yet.
        >     0 1 2 3
           +--------+
         0 |  1 ! # |
         1 |1 2 1 1 |
         2 |! 1     |
         3 |# 1     |
        0 mines are not marked yet.
        >     0 1 2 3
           +--------+
         0 |  1 ! 1 |
         1 |1 2 1 1 |
         2 |! 1     |
         3 |# 1     |
        0 mines are not marked yet.
        >     0 1 2 3
           +--------+
         0 |  1 ! 1 |
         1 |1 2 1 1 |
         2 |! 1     |
         3 |1 1     |
        Mines marked: 2. Wrong marks: 0.
        You found all mines.
    "#]],
    );
}

/// A wrong mark, and a mine.
#[test]
fn minesweeper_is_lost() {
    prints(
        "minesweeper",
        "4 9\ne 0 0\nm 3 3\ne 2 0\n",
        expect![[r#"
        Minesweeper. Size of the board (4 to 10) and a number to shuffle by, or return:
          e COLUMN ROW   expose a cell
          m COLUMN ROW   mark a cell as mined, or take the mark away
          c COLUMN ROW   cover an exposed cell again
          o COLUMN ROW   open what is around an exposed cell, if its mines are marked
          h              this help
          q              give up
            0 1 2 3
           +--------+
         0 |# # # # |
         1 |# # # # |
         2 |# # # # |
         3 |# # # # |
        2 mines are not marked yet.
        >     0 1 2 3
           +--------+
         0 |  1 # # |
         1 |1 2 # # |
         2 |# # # # |
         3 |# # # # |
        2 mines are not marked yet.
        >     0 1 2 3
           +--------+
         0 |  1 # # |
         1 |1 2 # # |
         2 |# # # # |
         3 |# # # ! |
        1 mine is not marked yet.
        > That was a mine.
            0 1 2 3
           +--------+
         0 |  1 * 1 |
         1 |1 2 1 1 |
         2 |* 1     |
         3 |1 1   x |
        Mines marked: 0. Wrong marks: 1.
        The game is over.
    "#]],
    );
}

/// Nobody loses with the first cell; cells outside of the board, commands that are none; the input ends.
#[test]
fn minesweeper_bears_with_its_player() {
    prints(
        "minesweeper",
        "5 1\ne 1 2\ne 9 9\nm\nc 1 2\ne 1\nfly\n",
        expect![[r#"
            Minesweeper. Size of the board (4 to 10) and a number to shuffle by, or return:
              e COLUMN ROW   expose a cell
              m COLUMN ROW   mark a cell as mined, or take the mark away
              c COLUMN ROW   cover an exposed cell again
              o COLUMN ROW   open what is around an exposed cell, if its mines are marked
              h              this help
              q              give up
                0 1 2 3 4
               +----------+
             0 |# # # # # |
             1 |# # # # # |
             2 |# # # # # |
             3 |# # # # # |
             4 |# # # # # |
            3 mines are not marked yet.
            >     0 1 2 3 4
               +----------+
             0 |# # # # # |
             1 |# # # # # |
             2 |# 1 # # # |
             3 |# # # # # |
             4 |# # # # # |
            3 mines are not marked yet.
            > There is no such cell.
                0 1 2 3 4
               +----------+
             0 |# # # # # |
             1 |# # # # # |
             2 |# 1 # # # |
             3 |# # # # # |
             4 |# # # # # |
            3 mines are not marked yet.
            > There is no such cell.
                0 1 2 3 4
               +----------+
             0 |# # # # # |
             1 |# # # # # |
             2 |# 1 # # # |
             3 |# # # # # |
             4 |# # # # # |
            3 mines are not marked yet.
            >     0 1 2 3 4
               +----------+
             0 |# # # # # |
             1 |# # # # # |
             2 |# # # # # |
             3 |# # # # # |
             4 |# # # # # |
            3 mines are not marked yet.
            > There is no such cell.
                0 1 2 3 4
               +----------+
             0 |# # # # # |
             1 |# # # # # |
             2 |# # # # # |
             3 |# # # # # |
             4 |# # # # # |
            3 mines are not marked yet.
            >   e COLUMN ROW   expose a cell
              m COLUMN ROW   mark a cell as mined, or take the mark away
              c COLUMN ROW   cover an exposed cell again
              o COLUMN ROW   open what is around an exposed cell, if its mines are marked
              h              this help
              q              give up
                0 1 2 3 4
               +----------+
             0 |# # # # # |
             1 |# # # # # |
             2 |# # # # # |
             3 |# # # # # |
             4 |# # # # # |
            3 mines are not marked yet.
            >     0 1 2 3 4
               +----------+
             0 |* 1       |
             1 |1 1       |
             2 |1 1 1     |
             3 |2 * 1     |
             4 |* 2 1     |
            Mines marked: 0. Wrong marks: 0.
            The game is over.
        "#]],
    );
}
