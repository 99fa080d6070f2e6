# SPDX-License-Identifier: Apache-2.0
"""The best points of a table through scripts/ppa: what the search estimated, measured."""

import json

from flow import measure
from flow.point import Point
from netlists import cells
from toolbox import text_table, tools
from toolbox.errors import UserError


def chosen(out, count):
    """The first points of the front, by the table's first objective: names of configurations."""
    table = json.loads((out / "table.json").read_text(encoding="utf-8"))
    front = [point for point in table["points"] if point["on_front"]]
    if count > len(front):
        raise UserError("command line", "--confirm", str(count),
                        f"1..{len(front)}, as many as are on the front")
    return front[:count]


def _standard_cells():
    found = cells.load(None, None)
    if found.timing is None:
        raise UserError(found.file, "timing.clock_ns", "(absent)", "a [timing] section")
    return found


def _row(point, tiles):
    """Its area beside the dense counterpart's, and the fit's error."""
    estimate = point["objectives"].get("area")
    area, dense = (float(tiles[name].area.total) for name in (measure.TILE, measure.DENSE))
    return [point["name"], f"{area:,.0f}", f"{100 * (area / dense - 1):+.2f}",
            f"{100 * (estimate / area - 1):+.2f}" if estimate else "-"]


def measured(points, out, trace, area_only, runner, say):
    """Measures the points one after the other, each as scripts/ppa --config does, and says what
    their areas are beside the fit's."""
    standard_cells = _standard_cells()
    clock_ns = standard_cells.timing.clock_ns
    rows = [["point", "area um2", "over dense %", "fit over it %"]]
    for point in points:
        config = str(out / point["configuration"])
        Point(config, standard_cells, clock_ns, trace, False, True, area_only).measure(runner, say)
        tiles = measure.areas(measure.designs(config), standard_cells, clock_ns, runner)
        rows.append(_row(point, tiles))
    lines = text_table.lines(rows)
    tools.write(out / "confirmed.txt", "\n".join(lines) + "\n")
    say(lines)
