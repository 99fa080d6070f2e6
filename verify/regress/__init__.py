# SPDX-License-Identifier: Apache-2.0
"""Regression: declared suites of configuration × stimulus, judged by the replay programs."""
