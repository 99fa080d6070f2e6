#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Which packages each command asks for, that it does so before it builds, and that what a replay runs
and compiles with is of the replay's packages."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from checkout import ROOT, copy, stand_in

BUILD = ROOT / "build"

GATES = {"yosys", "berkeley-abc", "iverilog"}
TIMING = {"opensta", "qflow-tech-osu018"}
LAYOUT = {"qrouter", "magic", "netgen-lvs"}
FPGA = {"yosys", "nextpnr-ice40"}
SHARDS = {"snakemake"}
CAPTURE = {"python3-torch", "python3-numpy", "python3-pil", "libopenblas0-pthread"}
PAGE = {"libjs-vega", "graphviz"}
TESTS = {"clang-format", "python3-jsonschema", "make"}
BROWSER = {"chromium", "chromium-driver", "python3-selenium"}
ANALYSIS = {"clang-tidy", "libclang-rt-dev", "llvm"}
# What each command asks for besides the packages that build, and arguments with which it starts.
MORE = {
    "demo": (PAGE, []),
    "replay": (set(), ["--config", "tiny", "--random", "5"]),
    "tdgen": (set(), ["--list"]),
    "tdsim": (set(), ["synth", "--network", "alexnet", "--sparsity", "half", "--config", "tiny"]),
    "tdjob": (set(), ["case", "verify/system/reference/analytic", "cases.json"]),
    "system-figures": (set(), []),
    "judge": (set(), []),
    "bench": (set(), []),
    "coverage": (set(), []),
    "sweep": (SHARDS, ["--network", "alexnet", "--sparsity", "half", "--config", "tiny"]),
    "regress": (GATES | SHARDS, ["--suite", "smoke"]),
    "mutate": (GATES | SHARDS, []),
    "lint": (GATES, []),
    "prove": (GATES, []),
    "equivalence": (GATES | TIMING, []),
    "ppa": (GATES | TIMING | SHARDS, ["--config", "tiny", "--trace", "file"]),
    "fpga": (FPGA, ["--config", "tiny"]),
    "route": (GATES | TIMING | LAYOUT, []),
    "surroundings": (GATES | TIMING | SHARDS, []),
    "explore": (GATES | TIMING | SHARDS, ["file"]),
    "report": (PAGE, ["result", "--out", "page"]),
    "test": (GATES | TIMING | LAYOUT | FPGA | SHARDS | CAPTURE | PAGE | TESTS | BROWSER, []),
    "analyse": (ANALYSIS, []),
    "scale-test": (SHARDS | {"slurm-wlm", "munge"}, []),
    "measure": (CAPTURE, ["what-ifs"]),
    "train": (CAPTURE, ["--network", "plain", "--data", "file", "--arithmetic", "tile",
                        "--out", "x.json"]),
}
OTHERS = {"capture.py": CAPTURE, "evidence": {"python3"}, "fresh": {"python3"},
          "release": {"python3"}}
# CMake takes them where they are, and those of binutils where not.
OPTIONAL = {"llvm-ar", "llvm-ranlib"}
HEAVY = GATES | TIMING | LAYOUT | FPGA | SHARDS | CAPTURE | PAGE | TESTS | BROWSER | ANALYSIS


def said(*command, **options):
    """What a command prints."""
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True,
                          check=True, **options).stdout


class Bare(unittest.TestCase):
    """On a machine where nothing is installed."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("dpkg-query", "apt-get"):
            stand_in(self.folder / name, "exit 1")
        self.environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}",
                            "PYTHONDONTWRITEBYTECODE": "1"}

    def packages(self, *commands):
        """What setup would install for commands."""
        text = said(ROOT / "scripts" / "setup", "--dry-run", *commands, env=self.environment)
        return set(text.partition("--no-install-recommends ")[2].split())


class Asked(Bare):
    """Of scripts/setup."""

    def test_each_command(self):
        build = self.packages("replay")
        self.assertIn("verilator", build)
        self.assertFalse(build & HEAVY)
        for command, (more, _) in MORE.items():
            with self.subTest(command=command):
                self.assertEqual(self.packages(command), build | more)
        for command, packages in OTHERS.items():
            with self.subTest(command=command):
                self.assertEqual(self.packages(command), packages)
        self.assertEqual(self.packages(), self.packages("test"))
        self.assertEqual(self.packages("--browser", "replay"), build | BROWSER)
        self.assertEqual(self.packages("--browser"), self.packages("test"))
        files = {path.name for path in (ROOT / "scripts").iterdir()
                 if path.is_file() and os.access(path, os.X_OK)}
        self.assertEqual(files - {"setup"}, {*MORE, *OTHERS} - {"sweep"})

    def test_commands_ask_first(self):
        """Each calls setup with its name, before a build: what stands in for setup ends it."""
        checkout = copy(self.folder)
        stand_in(checkout / "scripts" / "setup", f'echo "$@" >>{self.folder}/asked; exit 9')
        (self.folder / "file").touch()
        (self.folder / "result").write_text(json.dumps([{"configuration": "tiny", "run": "all", "status": "passed",
                                                         "passes": 1}]))
        for command, (_, arguments) in MORE.items():
            words = ["tdsim", "sweep"] if command == "sweep" else [command]
            with self.subTest(command=command):
                asked = self.folder / "asked"
                asked.unlink(missing_ok=True)
                done = subprocess.run([checkout / "scripts" / words[0], *words[1:], *arguments],
                                      env=self.environment, cwd=self.folder, capture_output=True,
                                      text=True, check=False)
                self.assertEqual(done.returncode, 9, done.stderr)
                self.assertEqual(asked.read_text(), f"{command}\n")
                self.assertEqual(done.stderr, "")
        self.assertEqual([path.name for path in checkout.glob("build/*")], [])

    def test_capture(self):
        """Help needs no PyTorch; Debian's python3 gets it, another is told which one has it."""
        checkout, asked = copy(self.folder), self.folder / "asked"
        program = checkout / "scripts" / "capture.py"
        (self.folder / "other" / "bin").mkdir(parents=True)
        other = self.folder / "other" / "bin" / "python3"
        other.symlink_to("/usr/bin/python3")
        (self.folder / "other" / "pyvenv.cfg").write_text(
            "home = /usr/bin\ninclude-system-site-packages = false\n")
        work = ("--network", "plain", "--data", "x", "--out", str(self.folder / "t"))
        debian = ("/usr/bin/python3", "-S")  # without the folder of Debian's packages
        for python, status, arguments, code, text, calls in (
                (debian, 9, ("--help",), 0, "that of\n/usr/bin/python3", ""),
                (debian, 9, ("--bogus",), 2, "arguments are required", ""),
                (debian, 9, work, 9, "", "capture.py\n"),
                (debian, 0, work, 2, "missing in /usr/bin/python3", "capture.py\n"),
                ((str(other),), 0, work, 2, f"missing in {other}. Debian's, of the package ", "")):
            with self.subTest(python=python, arguments=arguments, status=status):
                asked.write_text("")
                stand_in(checkout / "scripts" / "setup", f'echo "$@" >>{asked}; exit {status}')
                done = subprocess.run([*python, program, *arguments], env=self.environment,
                                      capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, asked.read_text()), (code, calls), done.stderr)
                self.assertIn(text, done.stdout + done.stderr)
                self.assertEqual(done.stderr.count("\n"), int(code == 2))


class Installed:
    """The packages of this machine."""

    def __init__(self):
        fields = "${Package};${Pre-Depends}, ${Depends};${Provides};${Essential};${Priority}\n"
        self.needs, self.provider, self.base = {}, {}, set()
        for line in said("dpkg-query", "--show", f"--showformat={fields}").splitlines():
            name, needs, provides, essential, priority = line.split(";")
            self.needs[name] = re.findall(r"(?:^|[,|]) *([a-z0-9][a-z0-9+.-]*)", needs)
            for other in re.findall(r"(?:^|,) *([a-z0-9][a-z0-9+.-]*)", provides):
                self.provider.setdefault(other, set()).add(name)
            if essential == "yes" or priority == "required":
                self.base.add(name)

    def closure(self, packages):
        """Packages with all that they depend on."""
        found, left = set(), set(packages)
        while left:
            name = left.pop()
            if name in self.needs and name not in found:
                found.add(name)
                left.update(self.needs[name])
            left |= self.provider.get(name, set()) - found
        return found

    @staticmethod
    def owners(paths):
        """path -> packages; dpkg may know the file below / instead of /usr."""
        shown = subprocess.run(["dpkg-query", "--search", *paths, *(path.removeprefix("/usr")
                                                                   for path in paths)],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               check=False).stdout
        found = {path: set() for path in paths}
        for line in shown.splitlines():
            names, _, path = line.rpartition(": ")
            for key in (path, f"/usr{path}"):
                if key in found:
                    found[key] |= {name.partition(":")[0] for name in names.split(", ")}
        return found


def _files(folder, targets):
    """Files outside of the checkout that a build runs, compiles or links."""
    def ninja(tool, *arguments):
        return said("ninja", "-C", folder, "-t", tool, *arguments)

    words = re.findall(r"[^\s'\"=;]+", ninja("commands", *targets) + ninja("inputs", *targets))
    objects = [word for word in words if word.endswith(".o")]
    words += ninja("deps", *{name for name in objects if (folder / name).exists()}).split()
    for program in ("tdgen", "tdreplay"):
        if (folder / program).exists():
            words += said("ldd", folder / program).split()
    words += [shutil.which(word) for word in set(words) if "/" not in word and shutil.which(word)]
    return {os.path.realpath(word) for word in words
            if word.startswith("/usr/") or word.startswith("/lib")
            if os.path.isfile(word)}


class Replay(Bare):
    """The programs, headers and libraries of a replay, here of the tile tiny."""

    def test_files_are_of_its_packages(self):
        program = pathlib.Path(said(ROOT / "scripts" / "replay", "--config", "tiny",
                                    "--build-only").strip())
        files = _files(BUILD, ("tdgen", "td_bench", "verilated_sc"))
        files |= _files(program.parent, ("tdreplay",))
        files |= {os.path.realpath(shutil.which(tool))
                  for tool in ("cmake", "ninja", "c++")}
        asked = self.packages("replay")
        installed = Installed()
        legal = installed.closure({*asked, *installed.base})
        self.assertFalse(legal & (HEAVY - {"libopenblas0-pthread"}))  # where there, it is CBC's BLAS
        owners = installed.owners(sorted(files))
        print(f"{len(files)} files of {len(set().union(*owners.values()))} packages; "
              f"{len(asked)} are asked for, {len(legal)} with what these need")
        self.assertEqual({path: names for path, names in owners.items()
                          if not names & legal and os.path.basename(path) not in OPTIONAL}, {})
        for tool in ("verilator_bin", "clang", "ccache"):
            self.assertTrue(any(tool in os.path.basename(path) for path in files), tool)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main()
