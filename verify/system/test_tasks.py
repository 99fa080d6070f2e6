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


    def test_synchronisation_of_one_stream(self):
        """What another stream has begun by then, nobody has waited for."""
        step = self.step([*DEVICE, event("aten::mm", 20, 22),
                          event("cudaLaunchKernel", 20, 21, "cuda_runtime", correlation=4),
                          event("gemm", 30, 300, "kernel", 70, device=0, stream=9, correlation=4)])
        synchronised = next(one for one in step.tasks if one.name == "aten::item" and len(one.after) > 1)
        self.assertEqual([step.tasks[one].resource for one in synchronised.after[1:]], ["device 0 stream 7"])


class Threads(Profile):
    """The backward pass in a thread of its own."""

    def test_wait(self):
        step = self.step(THREADS)
        self.assertEqual(self.microseconds(step, 'kind = "scale"\nphase = "backward"\nfactor = 0.5'),
                         [10 + 26 + 8 + 6, 10 + 10 + 2 + 2 + 8 + 6])


    def test_two_passes(self):
        """A thread of backward passes waits for what is done between them."""
        later = [{**one, "ts": one["ts"] + 52} for one in THREADS]
        step = self.step(THREADS + later)
        self.assertEqual(self.microseconds(step, 'kind = "scale"\nphase = "backward"\nfactor = 0.5'), [102, 102 - 24])

    def test_nothing_behind(self):
        """The main thread has no gap in which it waits."""
        step = self.step(THREADS[:-1])
        self.assertEqual(self.microseconds(step), [40])

    def test_other_threads(self):
        """Nobody waits for what is no backward pass."""
        step = self.step([event("aten::mm", 0, 10), event("aten::copy_", 12, 18, thread=3), event("aten::mm", 20, 30)])
        self.assertEqual(step.tasks[2].after, [1])
        self.assertEqual(step.tasks[3].after, [])


class Names(Profile):
    """Whatever they are, tdjob takes them."""

    def test_each(self):
        for name in ("k" * 300, "é" * 150, "a\tb\nc", "\x7f", "\ud800"):
            with self.subTest(name=name):
                step = self.step([event(f"layer {name}", 0, 9, "user_annotation"), event(name, 0, 9),
                                  event(name, 9, 10)])
                self.assertEqual(self.microseconds(step), [10])


class Bad(Profile):
    """One line, and nothing written."""

    def measure(self, path, out):
        return subprocess.run([ROOT / "scripts" / "measure", "tasks", path, "--out", out], capture_output=True,
                              text=True, check=False)

    def test_each(self):
        path = self.folder / "bad.json"
        out = self.folder / "out.toml"
        right = event("x", 0, 1)
        wrong = [[{**right, key: value}] for key, value in (
            ("name", 5), ("args", [1]), ("args", {"Sequence number": "x"}), ("dur", -5), ("dur", float("inf")),
            ("ts", float("nan")), ("ts", "1"), ("cat", []))]
        for text in ("", "{", "[]", "{}", "3", '{"traceEvents": 3}', '[{"ph": "X"}]',
                     json.dumps([event("x", 0, 1, "kernel")]), "[" * 100000, *map(json.dumps, wrong)):
            path.write_text(text)
            with self.subTest(text=text), self.assertRaises(UserError):
                Step(path)
            done = self.measure(path, out)
            self.assertEqual((done.returncode, done.stderr.count("\n"), out.exists()), (2, 1, False), done.stderr)
        with self.assertRaises(UserError):
            Step(self.folder / "none.json")

    def test_out(self):
        """The profile itself is not overwritten."""
        path = self.folder / "step.json"
        path.write_text(json.dumps(HOST))
        for out in (path, ""):
            done = self.measure(path, out)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertEqual(json.loads(path.read_text()), HOST)


if __name__ == "__main__":
    unittest.main()
