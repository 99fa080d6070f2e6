# SPDX-License-Identifier: Apache-2.0
"""Spaces of configurations: shards of tdsim explore side by side, and the best of them synthesised."""
