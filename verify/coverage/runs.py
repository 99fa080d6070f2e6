# SPDX-License-Identifier: Apache-2.0
"""Runs whose lines and toggles are counted: small designs that have every block between them. Of an
accelerator, which has another testbench, lines and branches."""

import dataclasses
import pathlib
import shlex
import subprocess

from toolbox import design, tools
from toolbox.errors import CheckError
from toolbox.manifest import Manifest
from toolbox.progress import Progress

CONFIGS = pathlib.Path(__file__).parent / "configs"
FOLDER = tools.BUILD / "coverage"

# What every one of them goes through.
OPTIONS = (
    # All options, lengths, modes and special values.
    "--random 1500 --rows 17 --specials 0.01 --dense 0.3 --stall 0.3",
    # Outputs back to back, the buffer full.
    "--random 2000 --rows 1 --streams 1 --specials 0.05 --stall 0.5",
    # Long waits, in which window and pipeline run dry, and resets in all of it.
    "--random 5000 --rows 1 --streams 1 --stall 0.3 --pause 0.05 --resets 80",
    "--random 4000 --rows 6 --streams 2 --stall 0.2 --pause 0.03 --dense 0.1 --resets 200",
    # Served at full rate.
    "--random 400 --rows 20 --specials 0.01",
    "--random 300 --zeros 0.95 --rows 40",
    # Products in every range of the format, subnormal ones included.
    "--random 2000 --rows 8 --streams 1 --specials 0.5 --zeros 0.1",
)


ACCELERATOR = "accel_tiny"
ACCELERATOR_OPTIONS = "layers --count 200 --errors 0.3 --damage 0.3 --resets 0.3"


@dataclasses.dataclass(frozen=True)
class Run:
    """What a run has written."""

    manifest: Manifest
    functional: pathlib.Path
    code: pathlib.Path


def run_all():
    """All runs of all configurations; returns what each has written."""
    folder = tools.make_folder(FOLDER / "runs")
    designs = [design.emit(config) for config in sorted(CONFIGS.glob("*.toml"))]
    progress = Progress("runs", len(designs) * len(OPTIONS))
    done = []
    try:
        for emitted in designs:
            for i, options in enumerate(OPTIONS):
                done.append(_run(folder / f"{emitted.name}-{i}", emitted, options))
                progress.step()
    finally:
        progress.finish()
    return done


def run_accelerator():
    """Random layers on an accelerator; returns the file of its counts."""
    counts = tools.make_folder(FOLDER / "runs") / f"{ACCELERATOR}.dat"
    program = tools.BUILD / "verify" / "accelerator" / f"tdaccel_{ACCELERATOR}_counted"
    _call([str(program), "--code-coverage-file", str(counts), *shlex.split(ACCELERATOR_OPTIONS)])
    return counts


def _run(stem, emitted, options):
    run = Run(emitted.manifest, stem.with_suffix(".json"), stem.with_suffix(".dat"))
    program = tools.RTL / emitted.hash / "coverage-bench" / "tdreplay"
    _call([str(program), *shlex.split(options), "--coverage-file", str(run.functional),
           "--code-coverage-file", str(run.code)])
    return run


def _call(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        lines = done.stdout.strip().splitlines() or [f"ended with status {done.returncode}"]
        raise CheckError(f"{' '.join(command)}: {lines[-1]}")

