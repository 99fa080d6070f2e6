#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Rules of what machines send each other, at settings where two of them are the same one."""

import pathlib
import sys
import unittest

import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "verify")]

from measured import skew  # noqa: E402

STEPS = 12


class Rules(unittest.TestCase):
    """Beside all gradients, with the same images."""

    def machines(self, rule):
        torch.manual_seed(3)
        images, labels = torch.randn(100, 1, 8, 8), torch.arange(100) % 4
        model = skew.network("group", images, 4)
        found = [skew.Machine(model, images[first::2], labels[first::2], first) for first in (0, 1)]
        for number in range(STEPS):
            rule.step(found, number)
        return found

    def test_equal(self):
        expected = self.machines(skew.AllGradients())
        for rule in (skew.Averages(1), skew.Significant(0)):
            with self.subTest(rule=rule.text):
                for one, other in zip(self.machines(rule), expected):
                    torch.testing.assert_close(one.weights, other.weights, rtol=0, atol=1e-5)

    def test_less(self):
        """Weights differ then, and less is sent."""
        whole = skew.AllGradients()
        expected = self.machines(whole)
        for rule in (skew.Averages(4), skew.Significant(0.5), skew.Largest(0.01, 1)):
            with self.subTest(rule=rule.text):
                self.assertFalse(torch.allclose(self.machines(rule)[0].weights, expected[0].weights, rtol=0, atol=1e-4))
                self.assertLess(rule.sent, whole.sent)


if __name__ == "__main__":
    unittest.main()
