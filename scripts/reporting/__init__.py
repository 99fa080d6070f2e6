# SPDX-License-Identifier: Apache-2.0
"""A page of results: see scripts/report."""
