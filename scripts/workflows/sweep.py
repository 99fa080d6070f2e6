# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/tdsim sweep: every configuration with every network, sparsity and seed."""

import csv
import functools
import io
import itertools
import json
import pathlib
import sys

from toolbox import tools
from toolbox.program import Parser, print_lines, run, whole
from toolbox.progress import Progress

from . import engine, points

COLUMNS = ("network", "sparsity", "config", "seed", "dense_cycles", "cycles", "speedup_ratio", "key")


def _arguments():
    parser = Parser("scripts/tdsim sweep",
                    description="Simulates networks without traces (tdsim synth): every "
                    "configuration with every network, sparsity and seed. Each point is kept by the "
                    "hash of all that it depends on: the same command goes on where an earlier one "
                    "was interrupted.")
    for name, what in (("network", "layers' shapes"), ("sparsity", "zeros"),
                       ("config", "configurations")):
        parser.add_argument(f"--{name}", required=True, nargs="+", metavar="FILE|NAME",
                            help=f"{what}: TOML files or names that tdsim knows")
    parser.add_argument("--seeds", default="1", metavar="N", help="seeds 1..N (default 1)")
    parser.add_argument("--batch", default="64", metavar="N", help="samples, 1..65536 (default 64)")
    parser.add_argument("--tiles", default="16", metavar="N", help="of the array (default 16)")
    parser.add_argument("--points", default="20", metavar="N",
                        help="points in a shard, which should take minutes (default 20)")
    parser.add_argument("--out", default=str(tools.BUILD / "sweep"), metavar="FOLDER",
                        help="for points/KEY.json and table.csv (default build/sweep)")
    engine.add_options(parser)
    return parser.parse_args()


def _points(arguments):
    seeds = whole("--seeds", arguments.seeds, 1, 1000000)
    options = ("--batch", str(whole("--batch", arguments.batch, 1, 65536)),
               "--tiles", str(whole("--tiles", arguments.tiles, 1, 4096)))
    axes = itertools.product(arguments.network, arguments.sparsity, arguments.config,
                             range(1, seeds + 1))
    return [points.Point(*axis, options, points.key(*axis, options)) for axis in axes]


def _table(listed, folder):
    """The bytes of table.csv and its rows."""
    rows = []
    for point in listed:
        result = json.loads(point.file(folder).read_text(encoding="utf-8"))
        total = result["totals"]["all"]
        rows.append((point.network, point.sparsity, point.config, point.seed,
                     total["dense_cycles"], total["cycles"], total["speedup_ratio"], point.key))
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *rows])
    return text.getvalue(), rows


def _simulate(listed, size, out, chosen):
    """All points that are not done yet."""
    folder = tools.make_folder(out / "points")
    waiting = [point for point in listed if not point.file(folder).exists()]
    if len(waiting) < len(listed):
        print_lines([f"{len(listed) - len(waiting)} of {len(listed)} points are there from earlier "
                     "calls"])
    shards = {f"{at // size:05}": functools.partial(points.simulate, waiting[at:at + size],
                                                    folder)
              for at in range(0, len(waiting), size)}
    progress = Progress("points", len(waiting))
    try:
        chosen.run(shards, out, lambda: progress.set(sum(point.file(folder).exists()
                                                         for point in waiting)))
    finally:
        progress.finish()
    return folder


def _run():
    arguments = _arguments()
    chosen, listed = engine.chosen(arguments), _points(arguments)
    size = whole("--points", arguments.points, 1, 10000)
    out = tools.make_folder(pathlib.Path(arguments.out).resolve())
    with tools.lock(out):
        text, rows = _table(listed, _simulate(listed, size, out, chosen))
        tools.write(out / "table.csv", text)
    speedups = [row[COLUMNS.index("speedup_ratio")] for row in rows]
    print_lines([f"{len(rows)} points: speed-up {min(speedups):.2f} to {max(speedups):.2f}",
                 f"all of it: {tools.shown(out / 'table.csv')}"])


def main():
    """Exit status."""
    return run("sweep", _run)


if __name__ == "__main__":
    sys.exit(main())
