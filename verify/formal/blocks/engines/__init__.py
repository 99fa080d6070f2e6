# SPDX-License-Identifier: Apache-2.0
"""Proofs about the engines around the tiles: transfers, turns of halves, where rows of a fill
and results go."""

from . import dma, operands, placer, results, turns

SUBJECTS = (dma, operands, turns, placer, results)
