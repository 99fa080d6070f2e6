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
from toolbox.program import Parser, known, prepare, print_lines, run, whole
from toolbox.progress import Progress

from . import engine, points

# Of a result's totals over all operations; what they mean is said in docs/results.md.
TOTALS = ("dense_cycles", "zero_free_cycles", "cycles", "data_speedup_ratio",
          "filled_in_speedup_ratio", "total_speedup_ratio", "dense_memory_cycles", "memory_cycles",
          "total_memory_speedup_ratio")
COLUMNS = ("network", "sparsity", "config", "seed", *TOTALS, "key")


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
    parser.add_argument("--compute-only", action="store_true", help="without the accelerator around "
                        "the tiles, which takes most of the time: memory_cycles stay empty")
    parser.add_argument("--points", default="20", metavar="N",
                        help="points in a shard, which should take minutes (default 20)")
    parser.add_argument("--out", default=str(tools.BUILD / "sweep"), metavar="FOLDER",
                        help="for points/KEY.json, table.csv and table.jsonl (default build/sweep)")
    engine.add_options(parser)
    return parser.parse_args()


def _points(arguments):
    seeds = whole("--seeds", arguments.seeds, 1, 1000000)
    options = ("--batch", str(whole("--batch", arguments.batch, 1, 65536)),
               "--tiles", str(whole("--tiles", arguments.tiles, 1, 4096)),
               *(("--compute-only",) if arguments.compute_only else ()))
    for network in arguments.network:
        known("--network", network, "sim/networks", "one of")
    for sparsity in arguments.sparsity:
        known("--sparsity", sparsity, "sim/networks/sparsity", "one of")
    prepare(*arguments.config)
    axes = itertools.product(arguments.network, arguments.sparsity, arguments.config,
                             range(1, seeds + 1))
    return [points.Point(*axis, options, points.key(*axis, options)) for axis in axes]


def _table(listed, folder):
    """A row of COLUMNS for each point."""
    rows = []
    for point in listed:
        result = json.loads(point.file(folder).read_text(encoding="utf-8"))
        total = result["totals"]["all"]
        rows.append((point.network, point.sparsity, point.config, point.seed,
                     *(total[name] for name in TOTALS), point.key))
    return rows


def _write(rows, out):
    """The same rows as table.csv, and as table.jsonl: an object a line."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *rows])
    tools.write(out / "table.csv", text.getvalue())
    tools.write(out / "table.jsonl", "".join(json.dumps(dict(zip(COLUMNS, row))) + "\n"
                                             for row in rows))


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
    chosen, size = engine.chosen(arguments), whole("--points", arguments.points, 1, 10000)
    listed = _points(arguments)
    out = tools.make_folder(pathlib.Path(arguments.out).resolve())
    with tools.lock(out):
        rows = _table(listed, _simulate(listed, size, out, chosen))
        _write(rows, out)
    data, total = ([row[COLUMNS.index(name)] for row in rows]
                   for name in ("data_speedup_ratio", "total_speedup_ratio"))
    print_lines([f"{len(rows)} points: data speed-up {min(data):.2f} to {max(data):.2f}, "
                 f"total {min(total):.2f} to {max(total):.2f}",
                 f"all of it: {tools.shown(out / 'table.csv')}, table.jsonl"])


def main():
    """Exit status."""
    return run("sweep", _run)


if __name__ == "__main__":
    sys.exit(main())
