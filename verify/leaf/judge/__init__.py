# SPDX-License-Identifier: Apache-2.0
"""The floating point cells judged from outside."""
