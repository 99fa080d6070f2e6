# SPDX-License-Identifier: Apache-2.0
"""What is proved, block by block."""
