# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/equivalence."""

import json
import sys

from netlists import cells, recipe
from toolbox import design, evidence, tools
from toolbox.errors import UserError
from toolbox.program import Parser, prepare, print_lines, run

from . import four_state, netlists, inject, product, report, texts

FOLDER = tools.BUILD / netlists.KIND
# What synthesis leaves of the modules of hw/: the others are parts of what is around them.
BLOCKS = (*(block for block in evidence.BLOCKS
            if block not in (*recipe.FLATTENED, *evidence.SOFTWARE)), "tile", "clock_gate")
# Of larger tiles only these, unless a user names others: the rest takes long to synthesise.
_WHOLE_TILE = 16   # multipliers
_SMALL = ("multiplier", "adder", "from_fp8", "to_fp8", "to_bf16", "skid", "reset", "scheduler", "intake",
          "moves", "search", "dense_intake", "dense_line", "sequencer", "counters", "clock_gate")
_FAULTY = "tiny"   # what faults are injected in, unless a user names another
_SEEDS = (1, 2, 3)   # of faults in netlists; one that changes nothing is proved so, and replaced


def _arguments():
    parser = Parser("scripts/equivalence",
                    description="Proves every module's netlist equal to its RTL, and plays "
                    "Verilator's pins in Icarus with unknown values. Without options: all of it, "
                    "which goes into the table of evidence. Where a proof does not finish, both "
                    "are simulated instead and the table says so: if only how additions become "
                    "one sum (a wide product) is left open, or all. Results are kept in build/ppa "
                    "by content.")
    parser.add_argument("--config", metavar="FILE|PRESET", action="append",
                        help="default: every preset; in Icarus those of verify/configs, too")
    parser.add_argument("--cell", metavar="X", action="append",
                        help=f"modules to prove: {', '.join(BLOCKS)}; default: all, but of "
                        f"tiles with more than {_WHOLE_TILE} multipliers only {', '.join(_SMALL)}")
    parser.add_argument("--against", metavar="FOLDER", help="instead: proves the RTL that tdgen "
                        "writes now equal to what it wrote into FOLDER, a tile or an accelerator, "
                        "module by module, from registers of zero on")
    parser.add_argument("--part", metavar="netlists|four_state", help="one part only")
    parser.add_argument("--break", dest="broken", action="store_true",
                        help="also inject faults in netlists, RTL and what Icarus reads of the "
                        f"first configuration named, or of {_FAULTY}; each must be found")
    arguments = parser.parse_args()
    others = [name for name in ("config", "cell", "part", "broken") if getattr(arguments, name)]
    if arguments.against and others:
        raise UserError("command line", "--against", f"{arguments.against} beside others",
                        "no other option with it")
    for cell in arguments.cell or ():
        if cell not in BLOCKS:
            raise UserError("command line", "--cell", cell, ", ".join(BLOCKS))
    if arguments.part not in (None, "netlists", "four_state"):
        raise UserError("command line", "--part", arguments.part, "netlists or four_state")
    return arguments


def _presets():
    return sorted(path.stem for path in (tools.ROOT / "presets").glob("*.toml"))


def _wanted(named):
    """Predicate for netlists.prove_all. named: blocks that a user named, or None."""
    def wanted(emitted, block):
        if named:
            return block in named
        tile = emitted.parameters["tile"]
        return block in _SMALL or tile["lanes"] * tile["rows"] * tile["columns"] <= _WHOLE_TILE

    return wanted


def _prove(configs, named, runner):
    designs = [design.emit(config) for config in configs]
    results = netlists.prove_all(designs, cells.load(), _wanted(named), runner)
    if not named or "multiplier" in named:
        results += product.prove_all(designs, runner)
    if not results:
        raise UserError("command line", "--cell", ", ".join(named),
                        "a module that one of the configurations has")
    return results


def _break_netlists(config, chosen, runner):
    """Results with a fault in each netlist, then with one in each RTL."""
    designs, library = [design.emit(config)], cells.load()
    found, left = [], set(chosen)
    for seed in _SEEDS:
        results = netlists.prove_all(
            designs, library, lambda _, block: block in left, runner,
            spoil=lambda text, name: inject.netlist(text, name, library.library, seed))
        left = {one.block for one in results if one.passed}
        last = seed == _SEEDS[-1]
        found += [one for one in results if last or one.block not in left]
        if not left:
            break
    changed = []
    for faults in inject.rounds(chosen):
        judged = {block for fault in faults for block in fault.netlist} & set(chosen)
        changed += netlists.prove_all(designs, library, lambda _, block: block in judged, runner,
                                      faults=faults)
    return found, changed


def _play(configs, runner, faults=(None,)):
    designs = [design.emit(config) for config in configs]
    return four_state.compare_all(designs, configs, runner, faults)


def _against(folder):
    prepare()
    top, results, gone = texts.compare(folder, tools.Runner())
    different = sum(not one.passed for one in results)
    print_lines([*report.texts(results), *(f"only in the earlier text: {name}" for name in gone),
                 f"{top}: {len(results)} modules, {different} of them not equal for certain"])
    return different == 0


def _run():
    arguments = _arguments()
    if arguments.against:
        return _against(arguments.against)
    prepare(*arguments.config or ())
    runner, lines = tools.Runner(), []
    proofs, simulations, injected = [], [], []
    presets = arguments.config or _presets()
    faulty = presets[0] if arguments.config else _FAULTY
    if arguments.part != "four_state":
        proofs = _prove(presets, arguments.cell, runner)
        print_lines(report.netlists(proofs))
        if arguments.broken:
            found, changed = _break_netlists(faulty, arguments.cell or BLOCKS, runner)
            print_lines(["", *report.injected(found, "netlist"), *report.injected(changed, "RTL")])
            injected += found + changed
    if arguments.part != "netlists" and not arguments.cell:
        others = sorted(str(path) for path in (tools.ROOT / "verify" / "configs").glob("*.toml"))
        simulations = _play(arguments.config or presets + others, runner)
        lines = ["", report.COMPARED, *report.four_state(simulations)]
        if arguments.broken:
            found = _play([faulty], runner, four_state.faults())
            lines += report.four_state(found)
            injected += found
    tools.make_folder(FOLDER)
    tools.write(FOLDER / "results.json", json.dumps(report.as_json(proofs, simulations), indent=1))
    missed = sum(one.passed for one in injected)
    if injected:
        lines.append(f"{len(injected) - missed} of {len(injected)} injected faults found")
    different = sum(not one.passed for one in proofs + simulations)
    lines.append(f"{len(proofs)} equivalences and {len(simulations)} simulations, {different} of "
                 f"them failed; all of it: {FOLDER / 'results.json'}")
    print_lines(lines)
    if not arguments.cell and not arguments.part:
        named = "".join(f" --config {config}" for config in arguments.config or ())
        evidence.record("equivalence", f"scripts/equivalence{named}",
                        report.cells(proofs, simulations))
    return different == 0 and missed == 0


def main():
    """Exit status."""
    return run("equivalence", _run)


if __name__ == "__main__":
    sys.exit(main())
