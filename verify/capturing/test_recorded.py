#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Steps recorded with the names of their layers: each is there forward and backward, and nothing is left in the
model."""

import pathlib
import sys
import tempfile
import unittest
from collections import OrderedDict

import torch
from torch import nn

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))

from capture import CaptureError, recorded  # noqa: E402
from tracing.tasks import Step  # noqa: E402


class Recorded(unittest.TestCase):
    """Of a small network."""

    def setUp(self):
        torch.manual_seed(1)
        layers = {"conv": nn.Conv2d(2, 4, 3), "norm": nn.BatchNorm2d(4), "relu": nn.ReLU(),
                  "inner": nn.Sequential(nn.Flatten(), nn.Linear(144, 3))}
        self.model = nn.Sequential(OrderedDict(layers))
        self.optimizer = torch.optim.SGD(self.model.parameters(), 0.1)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "step.json"

    def one_step(self):
        self.optimizer.zero_grad()
        self.model(torch.ones(5, 2, 8, 8)).square().sum().backward()
        self.optimizer.step()

    def test_layers(self):
        self.one_step()
        with recorded(self.model, self.path):
            self.one_step()
        step = Step(self.path)
        self.assertEqual(step.resources, ["thread 0"])
        there = {(one.layer, one.phase) for one in step.tasks}
        for layer in ("conv", "norm", "relu", "inner.1"):
            self.assertLessEqual({(layer, "forward"), (layer, "backward")}, there)
        for name, layer, phase in (("aten::batch_norm", "norm", "forward"), ("aten::linear", "inner.1", "forward"),
                                   ("NativeBatchNormBackward0", "norm", "backward"),
                                   ("ConvolutionBackward0", "conv", "backward"),
                                   ("AddmmBackward0", "inner.1", "backward")):
            self.assertEqual([(one.layer, one.phase) for one in step.tasks if one.name == name], [(layer, phase)])
        self.assertTrue([one for one in step.tasks if one.phase == "update"])
        for before, after in zip(step.tasks, step.tasks[1:]):
            self.assertEqual(before.end, after.begin)

    def test_one_module(self):
        """It has the name that a trace gives it."""
        model = nn.Linear(4, 3)
        with recorded(model, self.path):
            model(torch.ones(2, 4)).sum().backward()
        self.assertIn(("model", "forward"), {(one.layer, one.phase) for one in Step(self.path).tasks})

    def test_refused_before_the_step(self):
        for path in (self.path.parent, self.path.parent / "none" / "step.json"):
            with self.assertRaisesRegex(CaptureError, str(path)), recorded(self.model, path):
                self.fail("the step has begun")

    def test_nothing_stays(self):
        with self.assertRaises(ValueError), recorded(self.model, self.path):
            raise ValueError
        self.assertEqual(list(self.path.parent.iterdir()), [])
        for module in self.model.modules():
            self.assertFalse(module._forward_hooks or module._forward_pre_hooks)


if __name__ == "__main__":
    unittest.main()
