# SPDX-License-Identifier: Apache-2.0
"""Lint of every preset and test configuration: see scripts/lint."""

import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

from toolbox import evidence, pool, tools
from toolbox.errors import CheckError
from toolbox.manifest import Manifest
from toolbox.program import Parser, prepare, print_lines, run
from toolbox.progress import Progress

CHECK = tools.ROOT / "verify" / "lint" / "lint.sh"
FOLDERS = ("presets", "verify/configs")


def _tool(*command):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise CheckError(f"{command[-1]}: {done.stdout.strip()}")
    return done.stdout.strip()


def _blocks(config):
    """Blocks that a configuration's files hold: one in each."""
    with tempfile.TemporaryDirectory() as folder:
        _tool(tools.TDGEN, "--out", folder, "--config", config)
        (path,) = pathlib.Path(folder).glob("*.json")
        manifest = Manifest(path)
        return {manifest.block(pathlib.Path(name).stem) for name in manifest.verilog}


def _lint():
    Parser("scripts/lint", description="Every preset and test configuration is clean for Verilator "
           "(-Wall), and Icarus and Yosys read it without complaint.").parse_args()
    prepare()
    configs = sorted(path for folder in FOLDERS for path in (tools.ROOT / folder).glob("*.toml"))
    designs = dict.fromkeys(evidence.BLOCKS, 0)
    progress = Progress("configurations", len(configs))
    with concurrent.futures.ThreadPoolExecutor(pool.cores()) as executor:
        for config, said in zip(configs, executor.map(lambda c: _tool(CHECK, tools.TDGEN, c),
                                                      configs)):
            print_lines(said.splitlines())
            for block in _blocks(config):
                designs[block] += 1
            progress.step()
    progress.finish()
    evidence.record("lint", "scripts/lint",
                    [evidence.Cell(block, "lint", f"{count} designs", True)
                     for block, count in designs.items() if count])


if __name__ == "__main__":
    sys.exit(run("lint", _lint))
