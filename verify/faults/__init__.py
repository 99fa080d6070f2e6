# SPDX-License-Identifier: Apache-2.0
"""The replays that must find injected faults."""
