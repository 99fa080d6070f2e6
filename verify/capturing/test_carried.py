#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the traces in the repository."""

import os
import sys
import unittest

sys.dont_write_bytecode = True

from trace_reader import layer_output, read, torch

TRACES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "traces")


class Carried(unittest.TestCase):
    """Complete, consistent, and with the zeros they are carried for."""

    def test_traces(self):
        for name, sparse, least in (("plain", "GO", 0.7), ("resnet_pruned", "W", 0.7), ("resnet", "A", 0.4)):
            tensors, metadata = read(os.path.join(TRACES, f"{name}.safetensors"))
            self.assertEqual(list(metadata["snapshots"]), ["early", "late"])
            self.assertIn(f"--out verify/traces/{name}.safetensors", metadata["command"])
            for layer in metadata["layers"]:
                a, w, go = (tensors[f"{layer['snapshot']}/{layer['name']}/{role}"] for role in ("A", "W", "GO"))
                self.assertEqual(layer_output(layer, a, w).shape, go.shape)
            for snapshot, facts in metadata["snapshots"].items():
                self.assertTrue(0.2 < facts["test_accuracy"] < 1)
                chosen = torch.cat([values.flatten() for key, values in tensors.items()
                                    if key.startswith(snapshot) and key.endswith("/" + sparse)])
                self.assertGreater((chosen == 0).float().mean().item(), least)

    def test_batch_normalisation_leaves_no_zeros(self):
        tensors, _ = read(os.path.join(TRACES, "resnet.safetensors"))
        for role in ("W", "GO"):
            values = torch.cat([values.flatten() for key, values in tensors.items() if key.endswith("/" + role)])
            self.assertLess((values == 0).float().mean().item(), 0.01, role)

    def test_a_rectified_transformer(self):
        """Zeros where ReLU makes them, and where attention's mask does."""
        tensors, metadata = read(os.path.join(TRACES, "transformers", "gpt_relu.safetensors"))
        self.assertEqual(len(metadata["layers"]), 19)
        for layer in metadata["layers"]:
            a, w, go = (tensors[f"late/{layer['name']}/{role}"] for role in ("A", "W", "GO"))
            self.assertEqual(layer_output(layer, a, w).shape, go.shape)
            zeros = (a == 0).float().mean().item()
            if layer["name"].endswith(".down"):
                self.assertGreater(zeros, 0.6)
            elif layer["name"].endswith("matmul#2"):
                self.assertGreater(zeros, 0.49)
            else:
                self.assertLess(zeros, 0.01)


if __name__ == "__main__":
    unittest.main()
