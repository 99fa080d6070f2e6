#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tasks of small profiles whose every time is known: what they are of, what they wait for, and what the step takes
once something is gone."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from toolbox.errors import UserError  # noqa: E402
from tracing.tasks import Step, toml  # noqa: E402

TDJOB = sys.argv.pop(1)


def event(name, begin, end, category="cpu_op", thread=1, **args):
    """As the profiler writes it; spaces in names of arguments are underscores here."""
    return {"ph": "X", "name": name, "cat": category, "pid": 7, "tid": thread, "ts": begin, "dur": end - begin,
            "args": {key.replace("_", " "): value for key, value in args.items()}}


def node(name, begin, end, sequence, **options):
    return event(f"autograd::engine::evaluate_function: {name}", begin, end, Sequence_number=sequence, **options)


# Two layers forward and backward, with Python between, an operator inside of another, and an update.
HOST = [
    event("layer one", 0, 22, "user_annotation"),
    event("aten::conv2d", 2, 20, Sequence_number=5), event("aten::inner", 3, 20, Sequence_number=5),
    event("layer two", 25, 40, "user_annotation"),
    event("aten::add_", 26, 27, Sequence_number=6),
    event("aten::linear", 30, 40, Sequence_number=6),
    node("LinearBackward0", 50, 70, 6), node("torch::autograd::AccumulateGrad", 72, 75, -1),
    node("ConvolutionBackward0", 80, 110, 5),
    event("Optimizer.step#SGD.step", 112, 130, "user_annotation"), event("aten::add_", 115, 125),
]
# Two kernels that the host launches and waits for.
DEVICE = [
    event("aten::mm", 0, 10), event("cudaLaunchKernel", 4, 6, "cuda_runtime", correlation=1),
    event("aten::mm", 12, 20), event("cudaLaunchKernel", 14, 16, "cuda_runtime", correlation=2),
    event("aten::item", 22, 100), event("cudaStreamSynchronize", 23, 90, "cuda_runtime", correlation=3),
    event("gemm", 8, 48, "kernel", 70, device=0, stream=7, correlation=1),
    event("gemm", 48, 90, "kernel", 70, device=0, stream=7, correlation=2),
]
# The main thread is idle while another one runs the backward pass.
THREADS = [event("aten::mm", 0, 10, Sequence_number=1), node("MmBackward0", 14, 34, 1, thread=2),
           node("AccumulateGrad", 36, 40, -1, thread=2), event("aten::add_", 44, 50)]


class Profile(unittest.TestCase):
    """A folder for profiles."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def step(self, events):
        path = self.folder / "step.json"
        path.write_text(json.dumps({"traceEvents": events}))
        return Step(path)

    def microseconds(self, step, *what_ifs):
        """Of the step as it is, and with each what-if more."""
        path = self.folder / "step.toml"
        path.write_text("\n[[transformation]]\n".join([toml(step, "x"), *what_ifs]) + "\n")
        lines = subprocess.run([TDJOB, "compare", path, "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout
        return [round(1e6 * json.loads(line)["seconds"], 3) for line in lines.splitlines()]


class Host(Profile):
    """One thread."""

    def test_tasks(self):
        step = self.step(HOST)
        found = [(one.name, one.layer, one.phase, one.end - one.begin) for one in step.tasks]
        self.assertEqual(found, [
            ("aten::conv2d", "one", "forward", 18), ("host", "two", "host forward", 6),
            ("aten::add_", "two", "forward", 1), ("host", "two", "host forward", 3),
            ("aten::linear", "two", "forward", 10), ("host", "two", "host backward", 10),
            ("LinearBackward0", "two", "backward", 20), ("host", "two", "host backward", 2),
            ("torch::autograd::AccumulateGrad", "two", "backward", 3), ("host", "one", "host backward", 5),
            ("ConvolutionBackward0", "one", "backward", 30), ("host", "", "host update", 5),
            ("aten::add_", "", "update", 10)])
        self.assertEqual([one.after for one in step.tasks], [[], *([number] for number in range(12))])

    def test_what_ifs(self):
        step = self.step(HOST)
        self.assertEqual(self.microseconds(step, 'kind = "remove"\nlayer = "two"', 'kind = "remove"\nphase = "*update"',
                                           'kind = "scale"\nlayer = "one"\nphase = "backward"\nfactor = 0.5'),
                         [123, 68, 53, 38])

    def test_list_of_events(self):
        path = self.folder / "list.json"
        path.write_text(json.dumps(HOST))
        self.assertEqual(len(Step(path).tasks), 13)


class Device(Profile):
    """Kernels."""

    def test_tasks(self):
        step = self.step(DEVICE)
        self.assertEqual(step.resources, ["thread 0", "device 0 stream 7"])
        # The host's time alone is 4 + 2, 4, 2, 2 + 2, 4, 2, 1, 10; the kernels' 40 and 42.
        self.assertEqual(self.microseconds(step, 'kind = "scale"\nresource = "device*"\nfactor = 0.5',
                                           'kind = "scale"\nresource = "device*"\nfactor = 0'),
                         [6 + 82 + 10, 6 + 41 + 10, 6 + 4 + 2 + 4 + 4 + 2 + 1 + 10])


class Threads(Profile):
    """The backward pass in a thread of its own."""

    def test_wait(self):
        step = self.step(THREADS)
        self.assertEqual(self.microseconds(step, 'kind = "scale"\nphase = "backward"\nfactor = 0.5'),
                         [10 + 26 + 8 + 6, 10 + 10 + 2 + 2 + 8 + 6])


class Bad(Profile):
    """One line, and nothing written."""

    def test_each(self):
        path = self.folder / "bad.json"
        out = self.folder / "out.toml"
        for text in ("", "{", "[]", "{}", "3", '{"traceEvents": 3}', '[{"ph": "X"}]',
                     json.dumps([event("x", 0, 1, "kernel")])):
            path.write_text(text)
            with self.subTest(text=text), self.assertRaises(UserError):
                Step(path)
            done = subprocess.run([ROOT / "scripts" / "measure", "tasks", path, "--out", out], capture_output=True, text=True,
                                  check=False)
            self.assertEqual((done.returncode, done.stderr.count("\n"), out.exists()), (2, 1, False), done.stderr)
        with self.assertRaises(UserError):
            Step(self.folder / "none.json")


if __name__ == "__main__":
    unittest.main()
