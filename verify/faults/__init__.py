# SPDX-License-Identifier: Apache-2.0
"""Planted faults: the catalogue of all of them, and the replays that must find those of theirs."""
