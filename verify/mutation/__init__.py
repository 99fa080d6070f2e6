# SPDX-License-Identifier: Apache-2.0
"""Injects faults in the emitted Verilog and reports which of them the smoke suite finds."""
