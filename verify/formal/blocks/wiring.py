# SPDX-License-Identifier: Apache-2.0
"""That the blocks of a tile which the proofs about pairs and outputs do not look through are wired
as they must be: the PEs behind the sequencer, the outputs behind the PEs, and the counters."""

from . import text, tile_text

PROPERTIES = {
    "ok_pe": "every PE moves with the pipeline and does what the sequencer says",
    "ok_output": "the output buffer gets and gives each PE's output, row * columns + column",
    "ok_counted": "the counters get and give what the tile does",
}


def body(design):
    """For the module `proof` around a tile."""
    path = design.manifest.instance
    rows, pes = range(design.parameter("tile.rows")), tile_text.pes(design)
    turns = design.parameter("tile.numerics.accumulators")
    merges = (turns - 1).bit_length() * sum(design.parameter(f"tile.pipeline.{stage}")
                                            for stage in ("adder", "tree"))
    ports = {"adds": turns, "load": turns, "first": 1, "merge": merges + 1}
    outputs, width = 32 * len(pes), design.parameter("tile.counters.width")
    counts, lanes = ("cycles", "stalls", "skipped"), design.lanes
    sequencer, output, counters = path("sequencer"), path("output"), path("counters")
    return "\n".join([
        text.vector("said", [(f"{sequencer}.enable_o", 1), *(
            (f"{sequencer}.{port}_o", bits) for port, bits in ports.items())]),
        text.vector("done", [(f"{pe}.{port}_i", bits) for pe in pes
                             for port, bits in {"en": 1, **ports}.items()]),
        f"  assign ok_pe = done == {{{len(pes)}{{said}}}};",
        text.vector("made", [(f"{pe}.result_o", 32) for pe in pes]),
        text.probe("buffered", 33 * len(pes), f"{output}.in_data_i"),
        text.probe("kept", 33 * len(pes), f"{output}.out_data_o"),
        f"  assign ok_output = buffered[{outputs - 1}:0] == made "
        f"& {{out_nonfinite, out_data}} == kept;",
        text.vector("does", [
            (design.manifest.probe("step"), 1), (f"{path('intake')}.waiting_o", 1),
            (design.manifest.probe("advance"), design.depth),
            *((f"{path('row', row=row)}.used_o", lanes) for row in rows)]),
        text.vector("counted", [
            (f"{counters}.step_i", 1), (f"{counters}.waiting_i", 1),
            (f"{counters}.advance_i", design.depth), (f"{counters}.active_i", lanes * len(rows))]),
        text.vector("counts", [(f"{counters}.{name}_o", width) for name in counts]),
        f"  assign ok_counted = counted == does & {{{', '.join(reversed(counts))}}} == counts;"])
