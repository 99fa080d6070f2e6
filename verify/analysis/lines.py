# SPDX-License-Identifier: Apache-2.0
"""Line coverage of base/, gen/ and sim/ by what sanitized.py ran."""

import dataclasses
import json
import pathlib
import re
import subprocess

from toolbox import tools
from toolbox.errors import CheckError

FOLDERS = ("base", "gen", "sim")
LOWEST = 12


@dataclasses.dataclass(frozen=True)
class File:
    """Lines with code, and how many of them ran."""

    name: str
    lines: int
    run: int

    @property
    def percent(self):
        """Share of the lines that ran."""
        return 100 * self.run / self.lines


def _tool(command, **options):
    done = subprocess.run([tools.find(command[0]), *map(str, command[1:])], check=False, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **options)
    if done.returncode != 0:
        raise CheckError(f"{command[0]}: status {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.stdout


def _others():
    """Files that the report leaves out, as a regular expression. A compiler cache may have made
    names relative to the build; llvm-cov finds no such file by its real name."""
    root = re.escape(str(tools.ROOT))
    return f"^/usr/|^{root}/(build/[^.]*[.][.]/[.][.]/)?verify/|^{root}/build/[^.]*[.]cpp"


def measure(build, folder, report):
    """The files of FOLDERS; the report of every line goes to the folder `report`."""
    raw = sorted((folder / "lines").glob("*.profraw"))
    if not raw:
        raise CheckError(f"{folder}: no lines were counted")
    merged = folder / "lines.profdata"
    _tool(["llvm-profdata", "merge", "--sparse", "-o", merged, *raw])
    objects = [build / "verify" / "unit" / "td_unit", "-object", build / "tdgen",
               "-object", build / "tdsim"]
    exported = _tool(["llvm-cov", "export", "--summary-only", "--instr-profile", merged, *objects])
    tools.remove(report)
    _tool(["llvm-cov", "show", "--format=html", "--output-dir", report, "--instr-profile", merged,
           "--show-branches=count", f"--ignore-filename-regex={_others()}", *objects])
    if not any(report.rglob("*.cpp.html")):
        raise CheckError(f"{report}: has no file of {' or '.join(FOLDERS)}")
    files = []
    for entry in json.loads(exported)["data"][0]["files"]:
        lines = entry["summary"]["lines"]
        name = pathlib.Path(entry["filename"]).resolve()
        if lines["count"] and any(name.is_relative_to(tools.ROOT / folder) for folder in FOLDERS):
            files.append(File(str(name.relative_to(tools.ROOT)), lines["count"], lines["covered"]))
    if not files:
        raise CheckError("llvm-cov: no file of base, gen or sim has lines")
    return files


def total(files, folder):
    """All files of a folder as one."""
    inside = [file for file in files if pathlib.Path(file.name).is_relative_to(folder)]
    return File(folder, sum(file.lines for file in inside), sum(file.run for file in inside))


def table(files):
    """Lines of text: the folders, then the files that run least."""
    lowest = sorted((file for file in files if file.run < file.lines),
                    key=lambda file: file.percent)
    shown = [total(files, folder) for folder in (*FOLDERS, "sim/gate")] + lowest[:LOWEST]
    return [f"{file.name:<32}{file.lines:>7} lines{file.percent:>8.2f} %" for file in shown]
