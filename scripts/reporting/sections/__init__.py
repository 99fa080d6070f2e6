# SPDX-License-Identifier: Apache-2.0
"""The parts of a page: each makes HTML and the tables of its charts, or None without its sources."""
