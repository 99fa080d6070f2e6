#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/mutate: what it reads, what it changes, and what the suite and SAT say of faults
known beforehand. build/tdgen and the libraries of the testbenches must be there."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "verify")]

from mutation import bench, designs, equivalence, lexer, operators, proofs, render  # noqa: E402
from mutation import sampling  # noqa: E402
from mutation.expression import Reader  # noqa: E402
from mutation.source import Source  # noqa: E402
from toolbox.errors import CheckError  # noqa: E402

MODULE = """\
module td_small (
    input  wire       clk_i,
    input  wire       rst_ni,
    input  wire [3:0] a_i,
    input  wire [3:0] b_i,
    output wire [3:0] y_o
);
  reg [3:0] q_q;
  wire unused = &b_i;
  assign y_o = EXPRESSION;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) q_q <= 4'd9;
    else if (a_i[0]) q_q <= b_i;
  end
endmodule
"""

# For an expression every text that the changes to its parts make of it.
EXPECTED = {
    "a_i & b_i": {"a_i | b_i", "a_i ^ b_i"},
    "a_i | b_i": {"a_i & b_i", "a_i ^ b_i"},
    "a_i - b_i": {"a_i + b_i", "b_i - a_i"},
    "a_i << b_i": {"a_i >> b_i", "b_i << a_i"},
    "a_i < b_i": {"a_i <= b_i", "a_i >= b_i", "b_i < a_i"},
    "a_i == b_i": {"a_i != b_i"},
    "a_i && b_i": {"a_i || b_i"},
    "~a_i": {"a_i"},
    "&a_i": {"|a_i", "^a_i"},
    "~|a_i": {"~&a_i"},
    "a_i + 4'd0": {"a_i - 4'd0", "a_i + 4'd1"},
    "a_i ^ 4'hf": {"a_i | 4'hf", "a_i & 4'hf", "a_i ^ 4'he"},
    "a_i[2]": {"a_i[1]", "a_i[3]"},
    "a_i[3]": {"a_i[2]"},
    "a_i[2:1]": {"a_i[3:2]", "a_i[1:0]", "a_i[1:1]", "a_i[2:2]"},
    "{a_i[0], b_i}": {"{b_i, a_i[0]}", "{a_i[1], b_i}"},
    "{4{q_q}}": {"{3{q_q}}"},
    "q_q ? a_i : b_i": {"q_q ? b_i : a_i", "!(q_q) ? a_i : b_i"},
    "a_i[N]": {"a_i[N - 1]", "a_i[N + 1]"},
    "a_i[2*N+:2]": {"a_i[2*N - 2+:2]", "a_i[2*N + 2+:2]"},
    "mul(a_i, b_i)": set(),
}


def _source(expression):
    return Source(MODULE.replace("EXPRESSION", expression), {})


def _results(source, role):
    """Texts that the changes of regions of a role make of them, by kind of change."""
    found = {}
    for regions, changes in operators.changes(source, {}):
        region, change = regions[0], changes[0]
        if region.role == role:
            moved = render.moved(change, region.start)
            text = render.applied(source.text[region.start:region.end], [moved])
            found.setdefault(change.operator, set()).add(text)
    return found


class Reading(unittest.TestCase):
    """Tokens, expressions and regions."""

    def test_pieces_are_the_text(self):
        for file, text in designs.Design("tiny").texts.items():
            self.assertEqual("".join(token.text for token in lexer.pieces(text)), text, file)

    def test_strange_text_is_refused(self):
        for text in ("module td_x (); initial x; endmodule", "module td_x (); \\x y; endmodule"):
            with self.assertRaises(CheckError):
                Source(text, {})

    def test_precedence(self):
        node = Reader("a | b & c == d + e << 2 ? f : ~g[1]").expression()
        self.assertEqual(node.kind, "ternary")
        ops = [one.op.text for one in node.walk() if one.kind in ("binary", "unary")]
        self.assertEqual(ops, ["|", "&", "==", "<<", "+", "~"])

    def test_only_what_instances_use_is_read(self):
        text = ("module td_p #(parameter N = 0) (input wire a_i, output wire y_o); "
                "if (N == 0) begin : g assign y_o = a_i; end else begin : h "
                "assign y_o = ~a_i; end endmodule")
        for values, expected in ([{"N": 0}], ["a_i"]), ([{"N": 2}], ["~a_i"]), (
                [{"N": 0}, {"N": 1}], ["a_i", "~a_i"]):
            source = Source(text, {"td_p": values})
            self.assertEqual([source.text[one.start:one.end] for one in source.regions], expected)

    def test_what_is_only_around_tiles(self):
        source = Source("module td_m (input wire clk_i, input wire a_i, output reg y_o); "
                        "reg [3:0] words_q[0:7]; "
                        "function f; input g; begin f = ~g; end endfunction "
                        "always @* begin y_o = f(a_i); end "
                        "always @(posedge clk_i) words_q[a_i] <= 4'd1; endmodule", {})
        self.assertEqual([(one.role, one.function, one.target) for one in source.regions],
                         [("blocking", "f", "f"), ("blocking", "", "y_o"),
                          ("next", "", "words_q[a_i]")])


class Changing(unittest.TestCase):
    """What is offered, and its two forms."""

    def test_every_operator(self):
        for expression, expected in EXPECTED.items():
            source = _source(expression)
            found = _results(source, "continuous")
            whole = {text for kind in ("stuck bit",) for text in found.pop(kind, set())}
            inverted = f"~({expression})"
            parts = set().union(*found.values())
            self.assertEqual(parts - {inverted}, expected, expression)
            self.assertIn(inverted, parts | whole, expression)
            self.assertLessEqual({"1'b0", "~1'b0", f"({expression}) | (1'b1 << 3)",
                                  f"({expression}) & ~(1'b1 << 3)"}, whole, expression)

    def test_processes(self):
        source = _source("a_i")
        self.assertEqual(_results(source, "reset"), {"lost reset": {"begin end"}})
        self.assertEqual(_results(source, "condition")["lost enable"], {"1'b1"})
        following = _results(source, "next")
        self.assertEqual(following["wrong reset value"], {"~(4'd9)"})
        self.assertEqual(following["constant"], {"4'd8", "4'd10"})

    def test_exchanged_connections(self):
        text = ("module td_t (input wire [1:0] a_i, input wire [1:0] b_i, output wire y_o, "
                "output wire r_no); td_u u (.clk_i(a_i[0]), .a_i(a_i), .b_i(b_i), .c_i(a_i[1]), "
                ".y_o(y_o), .r_no(r_no)); endmodule")
        widths = {"td_u": {"a_i": "[1:0]", "b_i": "[1:0]", "c_i": "[0:0]"}}
        found = list(operators.changes(Source(text, {}), widths))
        both = [changes for regions, changes in found if len(regions) == 2]
        self.assertEqual(len(both), 1)
        changed = {region.target for regions, _ in found for region in regions}
        self.assertEqual(changed, {"a_i", "b_i", "c_i"})  # no clocks and no outputs
        self.assertIn(".a_i(b_i), .b_i(a_i)", render.applied(text, both[0]))

    def test_all_in_one_text(self):
        source = _source("a_i & b_i")
        found = [(number, regions[0], changes[0]) for number, (regions, changes)
                 in enumerate(operators.changes(source, {}), 1)]
        text = render.schemata(source.text, found)
        self.assertEqual(render.schemata(source.text, []), source.text)
        for number, region, change in found:
            self.assertEqual(len(re.findall(rf"== 32'd{number}\b", text)), 1)
        first = next(one for one in found if one[2].text == "|")
        self.assertIn(f"((td_mutants::number == 32'd{first[0]}) ? (a_i | b_i) : (", text)
        self.assertIn("begin end else q_q <= ", text)

    def test_sample(self):
        design = designs.Design("tiny")
        one, same, other = (sampling.sample([design], 120, seed) for seed in (1, 1, 2))
        self.assertEqual(one, same)
        self.assertNotEqual({mutant.key for mutant in one}, {mutant.key for mutant in other})
        self.assertEqual(len({mutant.key for mutant in one}), 120)
        counts = [sum(mutant.block == block for mutant in one) for block in sampling.BLOCKS]
        found = [count for count in counts if count]
        self.assertGreaterEqual(min(found), 120 // len(found))


def _find(design, file, described):
    """The only fault of a file with this description."""
    found = [one for one in design.mutants if one.file == file and one.described() == described]
    assert len(found) == 1, [one.described() for one in design.mutants if one.file == file]
    return found[0]


class Judging(unittest.TestCase):
    """Faults whose end is known, in the tiny tile."""

    @classmethod
    def setUpClass(cls):
        cls.design = designs.Design("tiny")
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.fatal = _find(cls.design, "td1_sequencer.v",
                          "inversion: ~finals[ADDS] -> finals[ADDS]")
        cls.harmless = next(one for one in cls.design.mutants if one.file == "td1_pe.v"
                            and one.described()
                            == "stuck bit: {ACCUMULATE_REGISTERS + 1{en_i}} -> 1'b0"
                            and "u_accumulate" in one.regions[0].instance)
        cls.exchanged = _find(cls.design, "td1_pe.v",
                              "connections: a_i[i*WIDTH+:WIDTH] -> b_i[i*WIDTH+:WIDTH]; "
                              "b_i[i*WIDTH+:WIDTH] -> a_i[i*WIDTH+:WIDTH]")
        cls.other = next(one for one in cls.design.mutants
                         if one.block == "adder" and one.operator == "operands")

    def _said(self, program, number):
        done = subprocess.run([program, "--random", "200", "--specials", "0.01"], text=True,
                              env={**os.environ, render.VARIABLE: str(number)}, cwd=ROOT,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, re.search(r"output hash \w+|first mismatch: .*",
                                          done.stdout).group()

    def test_both_forms(self):
        """Number 0 is the design, and a number does what the fault alone does."""
        folder = pathlib.Path(self.folder.name)
        injected = [self.harmless, self.fatal, self.other]
        rtl = bench.write(self.design, injected, folder / "all")
        bench.build(self.design, rtl, folder / "all-bench", ["tdreplay"])
        rtl = self.design.write(folder / "one", {self.fatal.file: render.PERMISSIONS
                                                 + self.fatal.text()})
        bench.build(self.design, rtl, folder / "one-bench", ["tdreplay"])
        sound = subprocess.run([ROOT / "verify/regress/build.sh", "tiny", "fast", "tdreplay"],
                               stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        program = folder / "all-bench" / "tdreplay"
        expected = self._said(sound, 0)
        self.assertEqual(expected[0], 0)
        self.assertEqual(self._said(program, 0), expected)
        self.assertEqual(self._said(program, 1), expected)
        killed = self._said(folder / "one-bench" / "tdreplay", 0)
        self.assertEqual(killed[0], 1)
        self.assertEqual(self._said(program, 2), killed)
        self.assertEqual(self._said(program, 3)[0], 1)

    def test_proofs(self):
        """A fault of the scheduler is refuted, with a wave."""
        mutant = _find(self.design, "td1_scheduler.v", "inversion: ~reach -> reach")
        found = proofs.judge(mutant, equivalence.Prover(self.design))
        self.assertRegex(found.proof, "^scheduler ok_")
        self.assertIn("proof", pathlib.Path(found.wave).read_text(encoding="utf-8"))
        self.assertFalse(found.open or found.equivalent)

    def test_equivalence(self):
        prover = equivalence.Prover(self.design)
        for mutant in (self.harmless, self.exchanged):
            self.assertEqual(prover.proved(mutant), "SAT, one step, td1_pe")
        self.assertEqual(prover.proved(self.fatal), "")


if __name__ == "__main__":
    unittest.main()
