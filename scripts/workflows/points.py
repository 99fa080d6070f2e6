# SPDX-License-Identifier: Apache-2.0
"""Points of a sweep, each a simulation of a network without a trace."""

import dataclasses
import functools
import pathlib
import subprocess

from toolbox import tools
from toolbox.errors import CheckError, Refused

TDSIM = tools.BUILD / "tdsim"


@dataclasses.dataclass(frozen=True)
class Point:
    """One simulation. key: everything that its result depends on."""

    network: str
    sparsity: str
    config: str
    seed: int
    options: tuple
    key: str

    def file(self, folder):
        """Of the result; whole or not there: so tdsim writes its files."""
        return folder / f"{self.key}.json"

    def simulate(self, folder):
        """Leaves the file."""
        done = subprocess.run(
            [TDSIM, "synth", "--network", self.network, "--sparsity", self.sparsity, "--config",
             self.config, "--seed", str(self.seed), *self.options, "--threads", "1", "--json",
             self.file(folder)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode == 2:
            raise Refused(done.stderr.strip())
        if done.returncode != 0:
            raise CheckError(f"tdsim ended with status {done.returncode}: {done.stderr.strip()}")


def simulate(points, folder):
    """One shard: the points of it that have no result yet."""
    for point in points:
        if not point.file(folder).exists():
            point.simulate(folder)


def key(network, sparsity, config, seed, options):
    """Of a Point."""
    return tools.digest(tools.file_digest(TDSIM), _content(network), _content(sparsity),
                        _content(config), str(seed), *options)


@functools.lru_cache(maxsize=None)
def _content(text):
    """A name, or a file with what is in it."""
    return f"{text} {tools.file_digest(text)}" if pathlib.Path(text).is_file() else text
