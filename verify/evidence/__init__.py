# SPDX-License-Identifier: Apache-2.0
"""One table of all that the verification commands have shown: see scripts/evidence."""
