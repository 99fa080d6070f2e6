# SPDX-License-Identifier: Apache-2.0
"""Networks that are trained here, for traces: see scripts/capture.py."""
