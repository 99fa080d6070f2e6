# SPDX-License-Identifier: Apache-2.0
"""RTL against netlists by proof, and simulators against each other with unknown values."""
