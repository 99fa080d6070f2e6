# SPDX-License-Identifier: Apache-2.0
"""One run of OpenSTA over a tile: writes its script, reads what timing.tcl and clock_tree.tcl report."""

import dataclasses
import pathlib
import subprocess

from toolbox.errors import CheckError
from toolbox.tools import Runner, find, write

SCRIPT = pathlib.Path(__file__).with_name("timing.tcl")
CLOCK_TREE = pathlib.Path(__file__).with_name("clock_tree.tcl")
RESULT = "timing.txt"


@dataclasses.dataclass(frozen=True)
class Point:
    """Output of a cell along a path. Times in ns."""

    pin: str
    cell: str
    arrival: float
    slew: float   # the slower of rise and fall
    fanout: int   # cells' inputs that it drives


@dataclasses.dataclass(frozen=True)
class Path:
    """The worst path of its kind; setup unless hold. Times in ns."""

    group: str
    hold: bool
    slack: float
    arrival: float
    start: str        # register, by the net that it drives, or port
    end: str
    from_port: bool
    to_port: bool
    points: tuple     # outputs passed, the start's first

    @property
    def gates(self):
        """Cells between the registers."""
        return len(self.points) - 1


@dataclasses.dataclass(frozen=True)
class ClockTree:
    """When the clock reaches registers through the tree of a placed netlist, and the worst slacks with
    it in place of an ideal clock. Times in ns."""

    least: float
    most: float
    setup_slack: float
    hold_slack: float

    @property
    def skew(self):
        """Between any two registers."""
        return self.most - self.least


@dataclasses.dataclass
class Report:
    """What OpenSTA says about a tile."""

    problems: list    # (message, objects) for each hole in the constraints
    constants: int    # end points without a path since they always hold one value
    endpoints: int    # end points with a path
    paths: list       # Path, the worst of each kind
    clock_tree: ClockTree = None   # of a placed netlist


def _quote(path):
    return "{" + str(path) + "}"


def _script(netlists, top, liberty, sdc, groups, clock_slew_ns, opens, result, slews, tied, spef):
    lines = [f"read_liberty {_quote(liberty)}"]
    lines += [f"read_verilog {_quote(netlist)}" for netlist in netlists]
    lines += [f"link_design {top}", "set_cmd_units -time ns -capacitance pF",
              f"source {_quote(sdc)}", *([f"read_spef {_quote(spef)}"] if spef else []),
              f"set result {_quote(result)}",
              f"set slews {_quote(slews or '')}", f"set clock_slew_ns {clock_slew_ns}",
              f"set opens {opens}", f"set placed {int(bool(spef))}",
              f"set tied {_quote(' '.join(tied))}", "set groups [list]"]
    for name, (start, end, through) in groups.items():
        sets = " ".join(_quote(" ".join(patterns)) for patterns in (start, end, through))
        lines.append(f"lappend groups {name} {sets}")
    lines += [f"source {_quote(script)}" for script in (SCRIPT, *([CLOCK_TREE] if spef else []))]
    return "\n".join([*lines, "puts finished", "exit", ""])


def _parse(text):
    report = Report([], 0, 0, [])
    header, points = None, []

    def finish():
        if header:
            group, kind, slack, arrival, start, end, from_port, to_port = header
            report.paths.append(Path(group, kind == "min", float(slack), float(arrival), start, end,
                                     from_port == "1", to_port == "1", tuple(points)))

    for line in text.splitlines():
        kind, *fields = line.split("\t")
        if kind == "problem":
            report.problems.append((fields[0], fields[1:]))
        elif kind == "constant":
            report.constants += int(fields[0])
        elif kind == "ends":
            report.endpoints += int(fields[1])
        elif kind == "clock_tree":
            report.clock_tree = ClockTree(*map(float, fields))
        elif kind == "path":
            finish()
            header, points = fields, []
        elif kind == "point":
            pin, cell, arrival, slew, fanout = fields
            points.append(Point(pin, cell, float(arrival), float(slew), int(fanout)))
    finish()
    return report


def read(folder):
    """The Report of a run that was done in folder."""
    return _parse((pathlib.Path(folder) / RESULT).read_text(encoding="utf-8"))


def tcl(script, folder, runner, sta="sta"):
    """Runs a script, which ends with `puts finished`."""
    log = pathlib.Path(folder) / "sta.log"
    runner.run([sta, "-no_splash", "-exit", script], log, folder)
    # OpenSTA carries on after an error and exits with 0: what it says decides.
    text = log.read_text(encoding="utf-8", errors="replace")
    errors = [line for line in text.splitlines() if line.startswith("Error")]
    if errors or "finished" not in text:
        raise CheckError(f"{sta}: {errors[0] if errors else 'did not finish'}; all it said: {log}")


def run(netlists, top, liberty, sdc, groups, clock_slew_ns, folder, slews=None, sta="sta",
        runner=None, tied=(), spef=None, *, opens):
    """Analyses a tile, in folder. netlists: Verilog, each module once; sdc: a complete file;
    groups: name -> (registers from, registers to, pins through), patterns of names, paths reported
    apart; opens: the enable at which latches, those of clock gates, are open; slews: where to write the
    slew of each cell's inputs, once for each module; tied: outputs of the tile that are constants; spef: wires, the clock's too, instead of those by fan-out."""
    folder = pathlib.Path(folder).resolve()
    script, result = folder / "timing.run.tcl", folder / RESULT
    result.unlink(missing_ok=True)
    write(script, _script(netlists, top, liberty, sdc, groups, clock_slew_ns, opens, result, slews, tied,
                          spef))
    tcl(script, folder, runner or Runner(), sta)
    return read(folder)
