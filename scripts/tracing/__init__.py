# SPDX-License-Identifier: Apache-2.0
"""Behind capture.py: what a training step multiplies, seen at PyTorch's own operators, as layers of a trace."""
