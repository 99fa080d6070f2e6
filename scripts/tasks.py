#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A training step as tasks: what would it gain if a part were faster, or were not there?

In a training script, around one normal step, once others have gone before:

    with recorded(model, "step.json"):
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()

This is a profile of PyTorch's, with the names of layers; other profiles in its Chrome JSON do, too. As a program,
this file makes a scenario of it, to which what-ifs are added: see docs/papers.md.
"""

import os
import sys

from toolbox import program
from toolbox.errors import UserError
from tracing.tasks import Step, toml

__all__ = ["recorded"]


def __getattr__(name):
    """PyTorch is loaded for who records."""
    if name != "recorded":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tracing.recorder import recorded
    return recorded


def _store(path, text):
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError as error:
        raise UserError("command line", "--out", path, f"a file that can be written: {error.strerror}") from None


def _main():
    parser = program.Parser("scripts/tasks.py", description="Tasks of a training step, from a profile of PyTorch's "
                            "profiler (Chrome JSON), as a scenario for tdjob compare.")
    parser.add_argument("profile", metavar="PROFILE", help="the JSON file")
    parser.add_argument("--out", metavar="FILE", required=True, help="the scenario to write (TOML)")
    arguments = parser.parse_args()
    step = Step(arguments.profile)
    _store(arguments.out, toml(step, f"{os.path.basename(arguments.profile)}, a training step"))
    print(f"{len(step.tasks)} tasks on {', '.join(step.resources)}")


if __name__ == "__main__":
    sys.exit(program.run("scripts/tasks.py", _main))
