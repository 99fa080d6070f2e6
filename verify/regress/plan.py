# SPDX-License-Identifier: Apache-2.0
"""What a suite comes to: designs and their tasks, each with a seed and the key of its result."""

import collections
import dataclasses
import functools
import glob
import pathlib
import shlex
import subprocess
import tempfile

from toolbox import tools
from toolbox.errors import Refused

from . import configurations

BUILD_DESIGN = str(tools.ROOT / "verify/regress/build.sh")
LINT = "verify/lint/lint.sh"

# What a program is made of, apart from the emitted Verilog.
_LIBRARIES = ("td_support", "td_readers", "td_configuration", "td_mapping", "td_trace", "td_masks",
              "td_cycles", "td_model", "td_replay", "td_bench", "verilated_sc")
MADE_OF = {
    "tdreplay": ("verify/tile/*", *(f"build/lib/lib{name}.a" for name in _LIBRARIES)),
    "tdleaf": ("verify/tile/CMakeLists.txt", "verify/leaf/*", "hw/*/*",
               "build/lib/libverilated_cc.a"),
    "tdaccel": ("verify/accelerator/*", "verify/unit/accelerator/*", "presets/accel_*", "hw/*/*",
                "build/lib/libtd_accelerator.a"),
    "lint": (LINT,),
}


@dataclasses.dataclass(frozen=True)
class Design:
    """A configuration as tdgen takes it. rtl: digest of the emitted files."""

    config: str
    name: str
    hash: str
    rtl: str
    drawn: bool  # from the seed, not declared


@dataclasses.dataclass(frozen=True)
class Task:
    """One check of a design. program: lint, build, tdreplay, tdleaf or tdaccel."""

    design: Design
    program: str
    options: str  # of build: the program that is built
    seed: int
    key: str

    @property
    def arguments(self):
        """Of the program, in one line."""
        return f"{self.options} --seed {self.seed}".strip()

    @property
    def title(self):
        """What the reports call it."""
        if self.program in ("lint", "build"):
            return f"{self.program} {self.options}".strip()
        return f"{self.program} {self.arguments}"

    @property
    def reproduction(self):
        """The command that does it again, where the user is."""
        config = shlex.quote(self.design.config)
        build = tools.shown(BUILD_DESIGN, tools.ROOT)
        if self.program == "lint":
            again = f"{LINT} build/tdgen {config}"
        elif self.program == "build":
            again = f"{build} {config} fast {self.options}"
        elif self.program == "tdleaf":
            again = f"$({build} {config} rtl tdleaf) {self.arguments}"
        elif self.program == "tdaccel":
            again = f"$({build} {config} fast tdaccel) {self.arguments}"
        else:
            again = f"scripts/replay --config {config} {self.arguments}"
        here = pathlib.Path.cwd() == tools.ROOT
        return again if here else f"(cd {shlex.quote(str(tools.ROOT))} && {again})"


@dataclasses.dataclass
class Work:
    """A design with all its tasks in order."""

    design: Design
    tasks: list


def make(suite, seed, folder):
    """The work of a suite, declared configurations first; writes the drawn ones into the folder."""
    planner = _Planner(seed)
    for run in suite.runs:
        design = _design(run.config, drawn=False)
        for _ in range(run.seeds):
            planner.add(design, run.program, run.options)
    if suite.random is not None:
        drawn = configurations.draw(seed, suite.random.configurations, suite.random.largest)
        for name, text in drawn.items():
            path = tools.make_folder(folder / "configs") / f"{name}.toml"
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                tools.write(path, text)
            design = _design(str(path.relative_to(tools.ROOT)), drawn=True)
            planner.add(design, "lint", "")
            for options in suite.random.options:
                planner.add(design, "tdreplay", options)
    return list(planner.work.values())


class _Planner:
    """Collects tasks by design, a build in front of the first task of each program."""

    def __init__(self, seed):
        self.work = {}
        self._seed = seed
        self._times = collections.Counter()

    def add(self, design, program, options):
        """One more task."""
        work = self.work.setdefault(design.hash, Work(design, []))
        if program in ("tdreplay", "tdleaf", "tdaccel") and not self._times[design.hash, "build", program]:
            self._append(work, "build", program, 0)
        times = self._times[design.hash, program, options]
        seed = int(tools.digest(str(self._seed), design.hash, program, options, str(times))[:8], 16)
        self._append(work, program, options, seed)

    def _append(self, work, program, options, seed):
        self._times[work.design.hash, program, options] += 1
        made_of = _digest(options if program == "build" else program)
        key = tools.digest(work.design.hash, work.design.rtl, program, made_of, options,
                           _inputs(options), str(seed))
        work.tasks.append(Task(work.design, program, options, seed, key))


@functools.lru_cache(maxsize=None)
def _digest(program):
    paths = [path for pattern in MADE_OF[program]
             for path in sorted(glob.glob(str(tools.ROOT / pattern))) if pathlib.Path(path).is_file()]
    return tools.digest(*(part for path in paths
                          for part in (pathlib.Path(path).name, tools.file_digest(path))))


@functools.lru_cache(maxsize=None)
def _inputs(options):
    """Digest of the files that options name."""
    files = [tools.ROOT / word for word in shlex.split(options) if (tools.ROOT / word).is_file()]
    return tools.digest(*(tools.file_digest(file) for file in files))


@functools.lru_cache(maxsize=None)
def _design(config, drawn):
    digest, name = _tdgen("--config", config, "--hash").split()
    with tempfile.TemporaryDirectory() as folder:
        _tdgen("--config", config, "--out", folder)
        rtl = tools.digest(*(tools.file_digest(path)
                             for path in sorted(pathlib.Path(folder).glob("*.v"))))
    return Design(config, name, digest, rtl, drawn)


def _tdgen(*arguments):
    done = subprocess.run([tools.TDGEN, *arguments], cwd=tools.ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise Refused(done.stderr.strip())
    return done.stdout
