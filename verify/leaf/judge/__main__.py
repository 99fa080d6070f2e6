# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/judge."""

import os
import subprocess
import sys

from toolbox import evidence, tools
from toolbox.errors import UserError
from toolbox.program import Parser, prepare, print_lines, run

from .tally import FUNCTIONS, Tally

# Every operand format, and every depth of the cells' pipelines.
CONFIGS = ("paper_fp32", "paper_bf16", "pe_two_sided", "odd_fp16", "paper_fp8")
LEAF = tools.ROOT / "verify" / "leaf"


def _vectors(text):
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 10**12:
        raise UserError("command line", "--vectors", text, "1..1000000000000")
    return text


def _arguments():
    parser = Parser("scripts/judge",
                    description="Judges the verilated floating point cells of "
                    f"{', '.join(CONFIGS)} against the processor's arithmetic and against MPFR, on "
                    "directed and random vectors, and on vectors by hand from the standard.")
    parser.add_argument("--vectors", metavar="N", default="1000000",
                        help="vectors for each cell of each configuration; default: 1000000")
    parser.add_argument("--exhaustive", action="store_true",
                        help="all 2^32 pairs of bf16 factors, on all cores: minutes")
    return parser.parse_args()


def _called(command, **variables):
    """Output and exit status; errors and progress go to the terminal."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, **variables}, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.returncode)  # it has said why
    return done.stdout, done.returncode


def _run():
    arguments = _arguments()
    vectors = _vectors(arguments.vectors)
    prepare()
    tally = Tally()
    for config in CONFIGS:
        output, status = _called([LEAF / "judge.sh", config], TD_LEAF_VECTORS=vectors,
                                 TD_LEAF_EXHAUSTIVE=str(int(arguments.exhaustive)))
        tally.judged(config, output, status)
        print_lines(f"{config}: {line}" for line in output.splitlines())
    if arguments.exhaustive:
        tally.demand_all_pairs()
    for function in FUNCTIONS:
        output, status = _called([tools.ROOT / "verify" / "leaf" / "testfloat.sh", function,
                                  LEAF / "vectors" / f"{function}.txt"])
        tally.testfloat(function, output, status)
        print_lines([f"by hand: {output.strip()}"])
    cells = tally.cells()
    evidence.record("float", "scripts/judge" + (" --exhaustive" if arguments.exhaustive else ""),
                    cells)
    print_lines(f"{cell.block}: {cell.text}" for cell in cells)
    return all(cell.passed for cell in cells)


if __name__ == "__main__":
    sys.exit(run("judge", _run))
