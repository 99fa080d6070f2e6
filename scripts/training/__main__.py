# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/train."""

import json
import os
import sys

from toolbox import tools
from toolbox.errors import Refused, UserError
from toolbox.program import Parser, known, prepare, print_lines, run
from toolbox.progress import Progress

from . import options, table
from .networks import NETWORKS

# Arithmetic -> the configuration that it is of, unless another is given.
CONFIGS = {"tile": "paper_bf16", "fused": "fused_bf16", "torch": None}
REQUIRED = ("network", "data", "arithmetic", "out")
SUMS = {"tile": "tree", "fused": "fused"}


def _arguments():
    parser = Parser("scripts/train", description="Train an example network with the tile's own arithmetic, or with "
                    "PyTorch's: convolutions and linear layers, forward and both gradients, have the bits that the "
                    "hardware gives; all else is PyTorch's binary32. The traces in verify/traces are of these "
                    "networks.")
    add = parser.add_argument
    add("--network", choices=NETWORKS, help=", ".join(NETWORKS))
    add("--data", metavar="PATH|fashion-mnist", help=options.DATA)
    add("--arithmetic", choices=list(CONFIGS),
        help="tile: a tree of adders, each of which rounds; fused: products added as integers and rounded once; "
        "torch: PyTorch's binary32")
    add("--config", metavar="FILE|PRESET", help="the tile; default: paper_bf16, and fused_bf16 for fused sums")
    add("--epochs", type=options.within(int, 1, 1000), default=1, metavar="E", help="default 1")
    add("--seed", type=options.within(int, 0, 2**31 - 1), default=1, metavar="S", help="default 1")
    add("--batch", type=options.within(int, 1, 4096), default=64, metavar="N", help="images of a step; default 64")
    add("--lr", type=options.within(float, 1e-6, 10.0), default=0.02, metavar="RATE", help=options.RATE)
    add("--train-images", type=options.within(int, 1, 10**9), metavar="N",
        help="train with the first N only; default: all")
    add("--test-images", type=options.within(int, 1, 10**9), metavar="N",
        help="test with the first N only; default: all")
    add("--prune", type=options.within(float, 0.0, 0.99), default=0.0, metavar="SHARE",
        help="share of weights to zero by magnitude, but for the first and the last layer; default 0")
    add("--prune-step", type=options.within(int, 0, 10**9), default=0, metavar="STEP",
        help="prune after this step; default 0")
    add("--threads", type=options.within(int, 1, 1024), default=1, metavar="N", help="of the tile; default 1")
    add("--size", type=options.within(int, 8, 1024), default=32, metavar="PIXELS",
        help="side to which a folder's images are resized; default 32")
    add("--cache", default=options.cache(), metavar="FOLDER",
        help="where fashion-mnist is kept; default %(default)s")
    add("--checkpoint", metavar="FILE",
        help="written after each epoch; a run with the same arguments goes on from it")
    add("--out", metavar="FILE", help="the JSON result to write")
    add("--table", nargs="+", metavar="RESULT",
        help="instead of all these: final accuracies of such results, beside each other")
    arguments = parser.parse_args()
    missing = [option for option in REQUIRED if getattr(arguments, option) is None]
    if missing and not arguments.table:
        parser.error("the following arguments are required: " + ", ".join(f"--{option}" for option in missing))
    return arguments


def _check(arguments):
    """What can be wrong before anything is loaded."""
    if arguments.arithmetic == "torch" and arguments.config is not None:
        raise UserError("command line", "--config", arguments.config, "none with --arithmetic torch")
    arguments.config = arguments.config or CONFIGS[arguments.arithmetic]
    if arguments.config is not None:
        known("--config", arguments.config, "presets", "a preset:")
    for option, path in (("--out", arguments.out), ("--checkpoint", arguments.checkpoint)):
        folder = os.path.dirname(path or "") or "."
        if path is not None and (os.path.isdir(path) or not os.access(folder, os.W_OK | os.X_OK)):
            raise UserError("command line", option, path, "a file in a folder that is there and writable")


def _operator(arguments):
    """The tile, whose sums must be what was asked for; None for PyTorch's arithmetic."""
    from . import tile

    if arguments.config is None:
        return None
    try:
        operator = tile.Tile(tools.BUILD / "libtdoperator.so", arguments.config, arguments.threads)
    except tile.TileError as error:
        raise Refused(str(error)) from None
    if operator.sum != SUMS[arguments.arithmetic]:
        raise UserError(arguments.config, "tile.numerics.sum", operator.sum,
                        f"{SUMS[arguments.arithmetic]} with --arithmetic {arguments.arithmetic}")
    return operator


def _train(arguments):
    from tracing.files import CaptureError

    from . import session, tile
    from .examples import load

    operator = _operator(arguments)
    try:
        data = load(arguments)
        current = session.Session(arguments, data, operator)
        progress = Progress("steps", current.per_epoch * arguments.epochs)
        while current.epoch(progress):
            progress.finish()
            last = current.history[-1]
            print_lines([f"epoch {last['epoch']}: loss {last['loss']:.4f}, test accuracy "
                         f"{last['test_accuracy']:.4f}, {last['cpu_seconds']:.1f} CPU s"])
    except (CaptureError, tile.TileError) as error:
        raise Refused(str(error)) from None
    tools.write(arguments.out, json.dumps(session.result(current, operator, data), indent=1) + "\n")
    print_lines([f"wrote {arguments.out}"])


def main():
    arguments = _arguments()
    if arguments.table:
        print_lines(table.lines(arguments.table))
        return
    _check(arguments)
    prepare()
    _train(arguments)


sys.exit(run("scripts/train", main))
