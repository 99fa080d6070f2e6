# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/prove."""

import sys

from toolbox import evidence
from toolbox.errors import CheckError, UserError
from toolbox.program import Parser, prepare, print_lines, run

from . import designs, library, report


def _arguments():
    parser = Parser("scripts/prove",
                    description="Proves what the definition says of the emitted Verilog, for all "
                    "inputs. Without options: every proof of every preset and of the "
                    "configurations of the tests.")
    parser.add_argument("--config", metavar="FILE|PRESET", action="append",
                        help="only this configuration; can be given again")
    parser.add_argument("--block", choices=evidence.BLOCKS + evidence.ENGINES, action="append", metavar="BLOCK",
                        help="only proofs about this block; can be given again")
    parser.add_argument("--rtl", metavar="FOLDER",
                        help="Verilog of the one --config to be judged instead of what tdgen emits")
    parser.add_argument("--list", action="store_true", help="the proofs, and no more")
    parser.add_argument("--jobs", metavar="N", help="proofs at once; default: as many as cores")
    arguments = parser.parse_args()
    if arguments.rtl and len(arguments.config or []) != 1:
        raise UserError("command line", "--rtl", arguments.rtl, "with exactly one --config")
    return arguments


def _jobs(text):
    if text is None:
        return None
    if not text.isdecimal() or not 1 <= int(text) <= 256:
        raise UserError("command line", "--jobs", text, "1..256")
    return int(text)


def _run():
    arguments = _arguments()
    jobs = _jobs(arguments.jobs)
    prepare(*arguments.config or ())
    if arguments.rtl:
        chosen = [designs.at(arguments.rtl, arguments.config[0])]
    else:
        chosen = [designs.emit(config) for config in arguments.config or designs.declared()]
        if not arguments.config:
            chosen.append(designs.Engines())
    listed = [proof for design in chosen for proof in library.proofs(design, arguments.block)]
    if not listed:
        raise CheckError("there is no proof about that: see scripts/prove --list")
    if arguments.list:
        print_lines(report.list_lines(listed))
        return None
    found = library.verdicts(listed, jobs)
    path = report.write(found)
    if not (arguments.config or arguments.block):
        report.record(found)
    print_lines([*report.lines(found, arguments.rtl), f"all of it: {path}"])
    return all(one.proved for one in found)


def main():
    """Exit status."""
    return run("prove", _run)


if __name__ == "__main__":
    sys.exit(main())
