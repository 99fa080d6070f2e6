# SPDX-License-Identifier: Apache-2.0
"""Proofs about the emitted Verilog: properties stated from the definition, judged by Yosys.

A module for each subject has proofs(design), the list of its proofs about one design; library.py
has them all judged, yosys.py judges, replay.py sees counterexamples again in Icarus.
"""
