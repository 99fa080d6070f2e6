# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/mutate."""

import functools
import sys

from regress import plan, suite
from toolbox import evidence, tools
from toolbox.errors import CheckError, UserError
from toolbox.program import Parser, prepare, print_lines, run
from toolbox.progress import Progress
from workflows import engine

from . import designs, proofs, report, sampling
from .bench import ALIVE, Bench
from .equivalence import Prover


_SHARD = 16  # faults that are judged by one process


def _whole(option, least, most):
    def value(text):
        if not text.isdecimal() or not least <= int(text) <= most:
            raise UserError("command line", option, text, f"{least}..{most}")
        return int(text)
    return value


def _arguments():
    parser = Parser("scripts/mutate",
                    description="Injects faults in the emitted Verilog, one at a time, and reports "
                    "which of them a regression suite finds. All faults of a design are compiled "
                    "together, and each is then a run. What lives is given to SAT: a fault counts "
                    "as equivalent only when that proves it. Results are kept in build/mutation.")
    parser.add_argument("--mutants", metavar="N", default=425, type=_whole("--mutants", 1, 100000),
                        help="faults in all, each block having its share (425)")
    parser.add_argument("--seed", metavar="S", default=1, type=_whole("--seed", 0, 2**32 - 1),
                        help="of the sample, and of the suite's runs (1)")
    parser.add_argument("--block", metavar="B", choices=sampling.BLOCKS,
                        help=f"faults of one block only: {', '.join(sampling.BLOCKS)}")
    parser.add_argument("--suite", metavar="NAME|FILE", default="smoke",
                        help="of scripts/regress (smoke)")
    parser.add_argument("--show", metavar="ID",
                        help="instead: the difference that one fault makes, by an id of the report")
    parser.add_argument("--proofs", metavar="CONFIG",
                        help="instead: faults of this configuration judged by the proofs of "
                        "scripts/prove, those about their block alone first; small ones such as "
                        "tiny or verify/formal/cut.toml")
    engine.add_options(parser)
    return parser.parse_args()


def _works(arguments):
    """For each configuration of the suite its design and its runs."""
    listed = plan.make(suite.load(arguments.suite), arguments.seed, designs.FOLDER)
    return [(designs.Design(work.design.config), work.tasks) for work in listed]


def _show(works, wanted):
    found = [mutant for design, _ in works for mutant in design.mutants
             if mutant.key.startswith(wanted)]
    if not found:
        raise UserError("command line", "--show", wanted, "an id that the report names")
    print_lines(found[0].diff())


def _run_shards(runs, shards, what, total, left):
    """Runs shards; left(): how many of the total have no answer yet."""
    progress = Progress(what, total)
    try:
        runs.run(shards, designs.FOLDER, lambda: progress.shown and progress.set(total - left()))
    finally:
        progress.finish()


def _judge(works, mutants, runs):
    """All faults through their runs: fault -> verdict."""
    benches = [Bench(design, part, tasks) for design, tasks in works
               if (part := [one for one in mutants if one.design is design])]
    open_ones = [bench for bench in benches if bench.missing]
    runs.run({bench.design.hash: bench.build for bench in open_ones}, designs.FOLDER)
    shards = {f"{bench.design.hash}-{first}": functools.partial(bench.judge, first, _SHARD)
              for bench in open_ones for first in range(0, len(bench.missing), _SHARD)}
    missing = [(bench, mutant) for bench in open_ones for mutant in bench.missing]
    _run_shards(runs, shards, "mutants", len(missing),
                lambda: sum(bench.verdict(mutant) is None for bench, mutant in missing))
    return {mutant: bench.verdict(mutant) for bench in benches for mutant in bench.mutants}


def _results(judged, runs):
    """... and those that live to SAT."""
    alive = [mutant for mutant, verdict in judged.items() if verdict["end"] == ALIVE]
    provers = {design: Prover(design) for design in {mutant.design: None for mutant in alive}}
    asked = [mutant for mutant in alive if provers[mutant.design].known(mutant) is None]
    _run_shards(runs, {f"{mutant.design.hash}-{mutant.key}":
                         functools.partial(provers[mutant.design].proved, mutant)
                         for mutant in asked}, "mutants given to SAT", len(asked),
                lambda: sum(provers[mutant.design].known(mutant) is None for mutant in asked))
    return [report.Result(mutant, **verdict,
                          equivalent=provers[mutant.design].known(mutant) if mutant in alive else "")
            for mutant, verdict in judged.items()]


def _proofs(arguments, runs):
    """Faults of the blocks that are proved."""
    design = designs.Design(arguments.proofs)
    known = proofs.proved(design)
    if arguments.block and arguments.block not in known:
        raise UserError("command line", "--block", arguments.block, ", ".join(known))
    chosen = sampling.sample([design], arguments.mutants, arguments.seed,
                             [arguments.block] if arguments.block else known)
    if not chosen:
        raise CheckError(f"{design.name}: no fault is about what is proved")
    with tools.lock(designs.FOLDER):
        results = proofs.judge_all(design, chosen, functools.partial(_run_shards, runs))
    if not arguments.block:
        evidence.record("proof_faults", f"scripts/mutate --proofs {arguments.proofs} "
                        f"--mutants {arguments.mutants}", proofs.cells(results))
    print_lines(proofs.lines(results))
    return not any(one.open for one in results)


def _run():
    arguments = _arguments()
    runs = engine.chosen(arguments)
    prepare(*[arguments.proofs] if arguments.proofs else ())
    if arguments.proofs:
        return _proofs(arguments, runs)
    works = _works(arguments)
    if arguments.show:
        _show(works, arguments.show)
        return None
    blocks = [arguments.block] if arguments.block else None
    chosen = sampling.sample([design for design, _ in works], arguments.mutants, arguments.seed,
                             blocks)
    with tools.lock(designs.FOLDER):
        results = _results(_judge(works, chosen, runs), runs)
    results.sort(key=lambda one: chosen.index(one.mutant))
    if not arguments.block:
        evidence.record("mutation", "scripts/mutate", report.cells(results))
    print_lines([*report.lines(results), f"all of it: {report.write(results, arguments.seed)}"])
    return report.count(results).score >= report.GOAL


def main():
    """Exit status."""
    return run("mutate", _run)


if __name__ == "__main__":
    sys.exit(main())
