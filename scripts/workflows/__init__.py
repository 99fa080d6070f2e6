# SPDX-License-Identifier: Apache-2.0
"""Work in shards, on the cores of this machine or on a cluster: Snakemake schedules it."""
