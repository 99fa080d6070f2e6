# SPDX-License-Identifier: Apache-2.0
"""Area and timing of a whole accelerator: its blocks in standard cells around the tiles, and its
memories, which are macros of another node. Their areas stand beside each other and are never
added."""

import csv
import dataclasses
import fractions
import pathlib

from toolbox import text_table, tools
from toolbox.design import Accelerator, emit_accelerator
from toolbox.errors import CheckError
from toolbox.tools import make_folder

from netlists import netlist, rtlil, synthesis, timing

from . import area, area_table

_RAM = pathlib.Path(__file__).with_name("boundary_ram.v")
_CONSTRAINTS = tools.ROOT / "constraints" / "accelerator.sdc"
_MEMORIES = tools.ROOT / "constraints" / "memories" / "cacti_sram.csv"
_NODE, _DEVICE = "45", "itrs-lop"   # those of constraints/cacti_45nm.toml

_BANK = 262144   # bytes of the largest macro: the paper's bank
_SHOWN = 12      # paths outside of the tile

# Blocks by the paths of their instances, inner ones first; those of control have names of others.
_BLOCKS = (("u_control", "control"), ("u_tile.", "tile"), ("u_collector", "collector"),
           ("g_scratchpad", "scratchpad"), ("g_operands", "operand memory"),
           ("u_transposer", "transposer"), ("u_side", "fill"), ("u_unit", "tile unit"),
           ("u_compute", "compute"), ("u_load", "load"), ("u_store", "store"),
           ("u_read_mux", "read_mux"), ("_axi_", "port"))


@dataclasses.dataclass(frozen=True)
class _Names:
    """What a manifest says of a tile, of the whole accelerator."""

    top: str
    generation: str = "td1"

    def block(self, module):
        """The block that a module is; the top is one, too."""
        return "top" if module == self.top else module.removeprefix(f"{self.generation}_")


class _Design(Accelerator):
    """An emitted accelerator, with registers in the place of its memories."""

    @property
    def manifest(self):
        """Names of its modules."""
        return _Names(self.top)

    @property
    def files(self):
        """Verilog files."""
        return [_RAM if file.name == "td1_ram.v" else file for file in super().files]


class _Paths:
    """Which block a pin belongs to, for timing."""

    groups = {}

    @staticmethod
    def block(pin):
        """(what it is, what makes it faster)"""
        found = next((name for part, name in _BLOCKS if part in pin), "top")
        return found, "more registers in it"


def _memories(design, result, runner):
    """(words, bits of a word, instances) of each kind of memory, from the elaborated design."""
    counts = result.counts()
    found = {}
    for name, module in synthesis.elaborate(design, runner).items():
        if rtlil.block_of(name) == "ram" and counts.get(name):
            one = module.parameters
            words, width, parts = (_integer(one[key]) for key in ("WORDS", "WIDTH", "PARTS"))
            kind = (words, width // parts)
            found[kind] = found.get(kind, 0) + counts[name] * parts
    return found


def _integer(value):
    """A parameter, as RTLIL writes it."""
    return int(value.split("'b")[1], 2) if isinstance(value, str) else value


def macro(size, bits):
    """(bytes of a macro, how many, mm² of one) for a memory of so many bytes: the largest of the
    table that divides it and is no larger than a bank; None where there is none with that port."""
    lines = [line for line in _MEMORIES.read_text(encoding="utf-8").splitlines()
             if not line.startswith("#")]
    fits = [(int(row["capacity_bytes"]), float(row["area_mm2"])) for row in csv.DictReader(lines)
            if (row["node_nm"], row["device"], row["port_bits"]) == (_NODE, _DEVICE, str(bits))
            and size % int(row["capacity_bytes"]) == 0 and int(row["capacity_bytes"]) <= _BANK]
    if not fits:
        return None
    capacity, mm2 = max(fits)
    return capacity, size // capacity, mm2


def memory_lines(memories):
    """Their table. memories: (words, bits) -> how many."""
    rows = [["memory", "instances", "words", "bits", "macros of bytes", "mm2 each", "mm2"]]
    total = 0.0
    for (words, bits), instances in sorted(memories.items(), reverse=True):
        found = macro(words * bits // 8, bits)
        if found is None:
            rows.append([f"{words}x{bits}", str(instances), str(words), str(bits), "-", "-", "-"])
            continue
        capacity, number, mm2 = found
        total += instances * number * mm2
        rows.append([f"{words}x{bits}", str(instances), str(words), str(bits),
                     f"{number} of {capacity}", f"{mm2:.4f}", f"{instances * number * mm2:.3f}"])
    whole = all(macro(words * bits // 8, bits) for words, bits in memories)
    rows.append(["total" if whole else "total of those known", "", "", "", "", "", f"{total:.3f}"])
    return [f"memories: CACTI 7, {_NODE} nm, {_DEVICE}, one port; never added to the cells",
            *text_table.lines(rows)]


def _without_memories(whole):
    """The Area but for what stands for memories."""
    blocks = {place: block for place, block in whole.blocks.items() if place[0] != "ram"}
    return area.Area(blocks, sum((block.total for block in blocks.values()), fractions.Fraction(0)),
                     whole.cells)


def _inside(result, block):
    """Instances of a block, and the area of all of them with everything inside but memories."""
    def total(name):
        module = result.modules[name]
        if rtlil.block_of(name) == "ram":
            return fractions.Fraction(0)
        return module.area + sum(number * total(child) for child, number in module.children.items())

    counts = result.counts()
    names = [name for name in result.modules if rtlil.block_of(name) == block]
    return sum(counts[name] for name in names), sum(counts[name] * total(name) for name in names)


def _share_lines(result, whole):
    rows = [["with all that is inside", "instances", "um2", "% of the cells"]]
    for block in ("tile", "scratchpad", "collector", "side", "transposer", "control", "load",
                  "store"):
        instances, total = _inside(result, block)
        rows.append([block, str(instances), f"{float(total):,.0f}",
                     f"{float(total / whole.total * 100):.2f}"])
    return text_table.lines(rows)


def _where(bound):
    """The block that a path stays in, or those at its ends."""
    start, end = (_Paths.block(name)[0] for name in (bound.path.start, bound.path.end))
    return start if start == end else f"{start} to {end}"


def timing_lines(result):
    """The slowest path in each block and between any two, the tile's own first; and the verdict, at
    the clock that was asked for or, if the tile is slower, at the tile's."""
    worst = {}
    for bound in result.bounds:
        worst.setdefault(_where(bound), bound)
    if "tile" not in worst:
        raise CheckError("accelerator: no path of the tile was found")
    tile = worst.pop("tile")
    rows = [["slowest path", "ns", "of the tile's", "gates", "share of a period", "from", "to"]]
    slowest = sorted(worst.items(), key=lambda one: -one[1].period)[:_SHOWN]
    for where, bound in [("tile", tile), *slowest]:
        rows.append([where, f"{bound.period:.2f}", f"{bound.period / tile.period:.2f}",
                     str(bound.path.gates), f"{bound.fraction:.2f}", _short(bound.path.start),
                     _short(bound.path.end)])
    clock = max(tile.period, result.clock_ns)
    slower = [where for where, bound in worst.items() if bound.period > clock]
    verdict = ("the tile's clock is kept" if not slower else
               f"the tile's clock is not kept by {', '.join(slower)}")
    return [*text_table.lines(rows), verdict]


def _short(name):
    """The end of an instance's path."""
    return ".".join(name.split(".")[-3:])


def netlist_of(config, cells, clock_ns, runner):
    """(design, netlist.Netlist) of an accelerator whose modules are synthesised for a clock."""
    design = emit_accelerator(config, _Design)
    [joined] = netlist.join(synthesis.synthesise([design], cells, clock_ns, runner=runner), runner)
    return design, joined


def folder_of(design):
    """Where its results are kept."""
    return make_folder(tools.PPA / "results" / f"{design.name}-{design.hash}" / "accelerator")


def analyse(design, joined, cells, clock_ns, runner, slews=None):
    """Its Timing. slews: a file for transition times, see timing.analyse()."""
    return timing.analyse([joined.verilog], design.top, _Paths(), cells, clock_ns,
                          folder_of(design), slews=slews,
                          body=_CONSTRAINTS.read_text(encoding="utf-8"), runner=runner,
                          tied=joined.tied)


def lines(config, cells, clock_ns, runner):
    """The report, of an accelerator whose modules are synthesised for a clock."""
    design, joined = netlist_of(config, cells, clock_ns, runner)
    result = joined.synthesis
    rolled = area.roll_up(result)
    area.check(result, rolled, runner, joined)
    whole = _without_memories(rolled)
    timed = analyse(design, joined, cells, clock_ns, runner)
    return [*area_table.lines(design, whole, None, cells, clock_ns), "",
            *_share_lines(result, whole), "",
            *memory_lines(_memories(design, result, runner)), "", *timing_lines(timed)]
