# SPDX-License-Identifier: Apache-2.0
"""What the programs in Python share: errors, progress, tools and the store of evidence."""
