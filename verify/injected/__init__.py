# SPDX-License-Identifier: Apache-2.0
"""The catalogue of injected faults, which replays, proofs, netlists and assertions must find."""
