# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/regress."""

import functools
import math
import re
import resource
import sys
import time

from toolbox import evidence, tools
from toolbox.errors import UserError
from toolbox.program import Parser, prepare, print_lines, run, whole
from toolbox.progress import Progress
from workflows import engine

from . import execute, plan, report, suite
from .store import PASSED, Store

FOLDER = tools.BUILD / "regress"
UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}


def _arguments():
    parser = Parser("scripts/regress",
                    description="Runs a declared suite of configurations and stimulus, and random "
                    "configurations. Every finished run is kept in build/regress/SUITE-SEED: the "
                    "same command continues where an earlier one was interrupted, and runs again "
                    "what changed sources put in question. Exit status 1: a run failed, or some "
                    "have not been run.")
    parser.add_argument("--suite", required=True, metavar="smoke|nightly|FILE",
                        help="what to run; FILE: see verify/regress/smoke.toml")
    parser.add_argument("--seed", default="1", metavar="S",
                        help="of the random configurations and of all operands (default 1)")
    engine.add_options(parser, "designs")
    parser.add_argument("--time", metavar="T",
                        help="start nothing after so long: 90s, 30m, 2h (default: no limit)")
    parser.add_argument("--fresh", action="store_true",
                        help="forget the results of earlier calls")
    return parser.parse_args()


def _seconds(text):
    if text is None:
        return math.inf
    match = re.fullmatch(r"(\d{1,6})([smh]?)", text)
    if not match or int(match.group(1)) == 0:
        raise UserError("command line", "--time", text, "a time like 90s, 30m or 2h")
    return int(match.group(1)) * UNITS[match.group(2)]


def _run():
    start = time.time()
    arguments = _arguments()
    seed = whole("--seed", arguments.seed, 0, 2**63 - 1)
    runs = engine.chosen(arguments)
    deadline = start + _seconds(arguments.time)
    declared = suite.load(arguments.suite)
    prepare()
    folder = tools.make_folder(FOLDER / f"{declared.name}-{seed}")
    with tools.lock(folder):
        if arguments.fresh:
            tools.remove(folder / execute.RESULTS)
        work = plan.make(declared, seed, folder)
        store = Store(folder / execute.RESULTS)
        earlier = report.count(work, store)
        if earlier.tasks > earlier.not_run:
            print_lines([f"{earlier.tasks - earlier.not_run} of {earlier.tasks} results are there "
                         "from earlier calls"])
        told = _Told(store, work)
        shards = {one.design.hash: functools.partial(execute.run, one, folder, plan.BUILD_DESIGN,
                                                     deadline)
                  for one in work if any(task in told.open for task in one.tasks)}
        try:
            runs.run(shards, folder, told.look)
        finally:
            told.progress.finish()
            report.write(declared.name, folder, work, store)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print_lines([f"this call: {time.time() - start:.0f} s, "
                     f"{used.ru_utime + used.ru_stime:.0f} s of processors' time"])
        return _finish(declared, seed, folder, work, store)


class _Told:
    """Tasks that are still open, and what the user has been told of the others: each failure once."""

    def __init__(self, store, work):
        self._store = store
        self.open = {task: None for one in work for task in one.tasks}
        for task in self.open:
            store.forget_error(task.key)
        self.progress = Progress("runs", 0)
        self.look()
        self.progress = Progress("runs", len(self.open))

    def look(self):
        """Tells what has come in since the last call."""
        for task in list(self.open):
            result = self._store.get(task.key)
            if result is None:
                continue
            del self.open[task]
            if result.status != PASSED:
                self.progress.finish()
                print_lines(report.failure_lines(task, result))
            self.progress.step()


def _finish(declared, seed, folder, work, store):
    """The end of the report; whether everything passed."""
    total = report.count(work, store)
    print_lines([*report.summary_lines(work, store),
                 f"all of it: {tools.shown(folder / 'junit.xml')}"])
    designs = sum(report.count([one], store).complete for one in work)
    bad = total.failed + total.errors
    if declared.file == str(suite.find("nightly")):
        text = f"{designs} of {len(work)} configurations, {total.passes} passes, {bad} failures"
        evidence.record("regress", f"scripts/regress --suite nightly --seed {seed}",
                        [evidence.Cell("tile", "vectors", text, total.complete)])
    if total.not_run:
        print(f"regress: INCOMPLETE: {total.not_run} of {total.tasks} runs are still to be made; "
              "the same command continues", file=sys.stderr)
    if bad:
        print(f"regress: {bad} of {total.tasks} runs failed", file=sys.stderr)
    return total.complete


def main():
    """Exit status."""
    return run("regress", _run)


if __name__ == "__main__":
    sys.exit(main())
