#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Record the operands of real training steps of any PyTorch model as a TensorDash trace.

In a training script, around one normal step:

    with capture(model, "step.safetensors"):
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()

Several steps in one file:

    with TraceWriter("run.safetensors", model="mine") as trace:
        ...
        with trace.snapshot(model, "early", step=20) as facts:
            facts["loss"] = one_step()
        facts["test_accuracy"] = evaluate()

Every product of the step is a layer, however it was called: convolutions of one and two dimensions, transposed
ones too, products of matrices (linear and recurrent layers, functional calls, einsum), and products of two
activations (attention). It has the tensors A (input), W (weight before the update, or second factor) and GO
(gradient of the result, as backward computed it: nothing is rescaled). Of A and GO those of the first `images`
samples are kept; dimension 0 of what the model is called with is the batch. What of the step's multiply-accumulates
is not captured is said, and stands in the file with their share (`coverage`). With results=True also what PyTorch
makes of these tensors, in binary32: O (A times W, without bias), GA (gradient of A) and GW (of W, from the images
kept), where the step computes them.

What would a step gain if a part of it were faster? Its profile, of a normal step once others have gone before, is
what `scripts/measure tasks` makes tasks of:

    with recorded(model, "step.json"):
        one_step()

As a program, this file trains one of the example networks: see --help.
"""

import os
import sys
from contextlib import contextmanager

if __name__ == "__main__":
    # The example networks are small: a second thread costs more than it brings. Read when torch is loaded.
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
    from training.options import prepare

    prepare()

try:
    import torch
except ImportError as error:
    raise ImportError(f"{error}, in {sys.executable}; Debian's package python3-torch is for /usr/bin/python3") from error

from tracing.files import CaptureError
from tracing.recorder import recorded
from tracing.writer import DTYPE, IMAGES, TraceWriter

__all__ = ["CaptureError", "TraceWriter", "capture", "recorded"]


@contextmanager
def capture(model, path, snapshot="step", dtype=DTYPE, images=IMAGES, dataset=None, metadata=None, results=False,
            **facts):
    """One training step into one file: TraceWriter with a single snapshot."""
    with TraceWriter(path, dtype, images, type(model).__name__, dataset, metadata, results) as trace:
        with trace.snapshot(model, snapshot, **facts) as facts:
            yield facts


if __name__ == "__main__":
    from training.examples import main

    sys.exit(main())
