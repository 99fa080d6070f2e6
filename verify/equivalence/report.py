# SPDX-License-Identifier: Apache-2.0
"""What scripts/equivalence has shown: tables for a terminal, and cells of the table of evidence."""

import dataclasses

from toolbox import evidence

COMPARED = ("Icarus, registers and all that the tile must not look at X, has Verilator's "
            "outputs (===) at every rising edge: valid, ready and counters always, data and "
            "nonfinite where valid. Power-on: Verilator, registers random, judged by the model.")


def _table(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
            for row in rows]


def _vector(result):
    """The first output that differs, and where the whole vector is."""
    name, values = next(iter(result.verdict.differing.items()))
    both = f": RTL {values[0]}, netlist {values[1]}" if values else ""
    return f"{name}{both}"


def _verdict(result):
    if not result.passed:
        return f"DIFFERENT ({_vector(result)}; {result.folder / 'result.json'})"
    if result.verdict.proved:
        return "equal"
    return "no difference seen" + (" in the sums" if result.verdict.but_for_sums else "")


def netlists(results):
    """Lines: one for each module and configuration."""
    rows = [("cell", "configuration", "gates", "registers", "outputs", "method", "seconds",
             "verdict")]
    for one in results:
        rows.append((f"{one.block} {one.parameters}".strip(), one.configuration,
                     str(one.library_cells or ""), str(one.registers or ""),
                     str(one.verdict.outputs), one.verdict.method, f"{one.verdict.seconds:.1f}",
                     _verdict(one)))
    return _table(rows)


def texts(results):
    """Lines: one for each module of two texts of RTL."""
    return _table([("module", "parameters", "verdict", ""),
                   *((one.block, one.parameters, one.verdict, one.said) for one in results)])


def injected(results, way):
    """Lines: one for each fault."""
    rows = [("fault in", "configuration", "what", "seen by", "verdict")]
    for one in results:
        rows.append((f"{way} of {one.block}", one.configuration, one.injected, one.verdict.method,
                     "MISSED" if one.passed else f"found: {_vector(one)}"))
    return _table(rows)


def four_state(results):
    """Lines: one for each configuration or fault."""
    rows = [("configuration", "clocks", "compared", "different", "power-on clocks", "verdict")]
    for one in results:
        verdict = "equal" if one.passed else f"DIFFERENT at {one.first}"
        if one.fault:
            verdict = f"{one.fault}: " + ("MISSED" if one.passed else f"found at {one.first}")
        rows.append((one.configuration, str(one.clocks), str(one.compared), str(one.failed),
                     str(one.power_on_clocks or ""), verdict))
    return _table(rows)


def as_json(proofs, simulations):
    """All of it, for build/equivalence/results.json."""
    return {"netlists": [dataclasses.asdict(one) | {"folder": str(one.folder)} for one in proofs],
            "four_state": [dataclasses.asdict(one) for one in simulations]}


def _text(results):
    proved = sum(one.verdict.proved for one in results)
    distinct = len({one.folder for one in results})
    text = f"{proved} of {len(results)} proved ({distinct} netlist{'s' if distinct > 1 else ''})"
    sums = sum(one.verdict.but_for_sums for one in results)
    simulated = sum(one.passed for one in results) - proved - sums
    text += f", {sums} but for the order of a sum, simulated" if sums else ""
    return text + (f", {simulated} simulated" if simulated else "")


# Blocks that synthesis dissolves -> those that they become parts of.
_AROUND = {"pipe": ("interconnect", "sequencer", "pe", "fused_product", "fused_terms",
                    "fused_sum", "fused_adder"),
           "adder_tree": ("pe",), "fused": ("pe",), "array": ("tile",)}


def cells(proofs, simulations):
    """evidence.Cell of each block."""
    result = []
    for block in evidence.BLOCKS:
        around = _AROUND.get(block, ())
        own = [one for one in proofs if one.block in (around or (block,))]
        if not own:
            continue
        text, passed = _text(own), all(one.passed for one in own)
        if around:
            text += " inside " + ", ".join(around)
        if block == "tile" and simulations:
            clocks = sum(one.clocks for one in simulations)
            text += f"; Icarus = Verilator in {clocks} clocks of {len(simulations)} "
            text += "tile" if len(simulations) == 1 else "tiles"
            passed = passed and all(one.passed for one in simulations)
        result.append(evidence.Cell(block, "equivalence", text, passed))
    return result
