# SPDX-License-Identifier: Apache-2.0
"""What papers of systems claim of training, measured by doing it, and the tasks of a step that was measured: the
program behind scripts/measure."""

import argparse
import os
import sys

from toolbox import program, tools
from toolbox.errors import Refused, UserError
from toolbox.progress import Progress
from tracing import tasks

TDJOB = tools.ROOT / "build" / "tdjob"


def _tasks(arguments):
    if not os.path.basename(arguments.out) or os.path.realpath(arguments.out) == os.path.realpath(arguments.profile):
        raise UserError("command line", "--out", arguments.out, "the name of a file, not of the one that is read")
    step = tasks.Step(arguments.profile)
    tools.write(arguments.out, tasks.toml(step, f"a training step of {os.path.basename(arguments.profile)}"))
    program.print_lines([f"{len(step.tasks)} tasks on {', '.join(step.resources)}"])


def _what_ifs(arguments):
    program.prepare()
    from . import what_ifs
    progress = Progress("what-ifs: steps of each", what_ifs.WARM + arguments.rounds)
    rows = what_ifs.measure(TDJOB, arguments.rounds, progress)
    progress.finish()
    program.print_lines(what_ifs.lines(rows))


def _skew(arguments):
    program.prepare()
    from training import examples, options

    from . import skew
    try:
        data = examples.load(argparse.Namespace(network="plain", data=arguments.data, cache=options.cache(), size=32))
    except examples.CaptureError as error:
        raise Refused(str(error)) from None
    if len(data["train_labels"]) < skew.MACHINES or min(data["train_images"].shape[2:]) < skew.LEAST_SIDE:
        raise UserError(arguments.data, "train_images", tuple(data["train_images"].shape),
                        f"{skew.MACHINES} images or more of {skew.LEAST_SIDE}x{skew.LEAST_SIDE} or more")
    progress = Progress("skew: trained networks", skew.RUNS)
    rows = skew.measure(TDJOB, data, arguments.steps, arguments.seed, progress)
    progress.finish()
    program.print_lines(skew.lines(rows))


def _main():
    parser = program.Parser("scripts/measure", description="Measures what papers of systems claim, by doing it on this "
                            "machine's processor; and makes tasks of a step that you measured.")
    studies = parser.add_subparsers(dest="study", required=True, metavar="STUDY")
    study = studies.add_parser("tasks", help="a profile of PyTorch's profiler (Chrome JSON), as a scenario for tdjob "
                               "compare")
    study.add_argument("profile", metavar="PROFILE", help="the JSON file")
    study.add_argument("--out", metavar="FILE", required=True, help="the scenario to write (TOML)")
    study.set_defaults(run=_tasks)
    study = studies.add_parser("what-ifs", help="changes of a training step: predicted from its profile, and done")
    study.add_argument("--rounds", type=lambda text: program.whole("--rounds", text, 1, 10000), default=40, metavar="N",
                       help="steps of each change that are timed (default 40)")
    study.set_defaults(run=_what_ifs)
    study = studies.add_parser("skew", help="machines with labels of their own that send each other less: accuracy, "
                               "and what is sent")
    study.add_argument("--data", required=True, metavar="PATH|fashion-mnist", help="as of scripts/train")
    study.add_argument("--steps", type=lambda text: program.whole("--steps", text, 1, 1000000), default=800,
                       metavar="N", help="of each machine (default 800)")
    study.add_argument("--seed", type=lambda text: program.whole("--seed", text, 0, 2**32 - 1), default=1, metavar="S",
                       help="default 1")
    study.set_defaults(run=_skew)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(program.run("scripts/measure", _main))
