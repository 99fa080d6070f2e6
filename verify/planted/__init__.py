# SPDX-License-Identifier: Apache-2.0
"""The catalogue of planted faults, which replays, proofs, netlists and assertions must find."""
