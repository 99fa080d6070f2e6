# SPDX-License-Identifier: Apache-2.0
"""Yosys' netlists of designs for FPGAs, kept in build/fpga by the hash of all that they depend on."""

import json
import re

from netlists import store
from toolbox import tools

FOLDER = tools.BUILD / "fpga"
PORTS, STATISTICS, NETLIST = "ports.json", "statistics.txt", "netlist.json"


def _script(files, top, command, netlist):
    """Modules stay apart, as in Yosys' commands without -flatten: then the 256 equal multipliers of a
    tile are one to map."""
    return f"""\
read_verilog {" ".join(files)}
hierarchy -check -top {top}
proc
select {top}
json -o {PORTS}
select -clear
{command} -top {top}
check -assert
tee -q -o {STATISTICS} stat -top {top}
{f"write_json {NETLIST}" if netlist else ""}
"""


def run(files, top, command, runner, netlist=False):
    """Folder with PORTS and STATISTICS, and NETLIST if asked for. files: Verilog, name -> text;
    command: Yosys' for the family."""
    script = _script(files, top, command, netlist)
    key = tools.digest(tools.version("yosys"), script, *files.values())

    def work(folder):
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        (folder / "synthesis.ys").write_text(script, encoding="utf-8")
        runner.run(["yosys", "-q", "synthesis.ys"], folder / "log.txt", folder)

    return store.into(tools.make_folder(FOLDER), key, work)


def texts(design):
    """Its Verilog, name -> text."""
    return {file.name: file.read_text(encoding="utf-8") for file in design.files}


def cells(folder):
    """Cell -> how many the whole design has: the last table of Yosys' statistics, whose JSON cannot be
    read where a design has several modules."""
    text = (folder / STATISTICS).read_text(encoding="utf-8")
    table = text.rsplit("Number of cells:", 1)[1]
    return {cell: int(number) for cell, number in re.findall(r"(?m)^ +(\S+) +(\d+)$", table)}


def ports(folder, top):
    """Ports of the top, name -> (direction, bits)."""
    text = (folder / PORTS).read_text(encoding="utf-8")
    found = json.loads(text)["modules"][top]["ports"]
    return {name: (port["direction"], len(port["bits"])) for name, port in found.items()}
