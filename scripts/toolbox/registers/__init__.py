# SPDX-License-Identifier: Apache-2.0
"""The accelerator's registers and descriptors, described once, for Verilog, C, C++ and readers."""
