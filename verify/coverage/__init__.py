# SPDX-License-Identifier: Apache-2.0
"""Coverage of many runs together: what they have been through, and what none of them reached."""
