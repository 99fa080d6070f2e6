# SPDX-License-Identifier: Apache-2.0
"""Whether a sweep on a cluster that loses a node ends with the bytes of a run on one machine."""
