# SPDX-License-Identifier: Apache-2.0
"""Errors that the flow's programs print in one line."""


class UserError(Exception):
    """A user's mistake, exit status 2: names file, field, value and what is legal."""

    def __init__(self, file, field, value, legal):
        super().__init__(f"{file}: {field} = {value} is illegal; legal: {legal}")


class Refused(UserError):
    """What one of our programs said: one line in the form of all errors already."""

    def __init__(self, line):
        Exception.__init__(self, line)


class CheckError(Exception):
    """A check or a tool that failed, exit status 1."""


class TimeLimit(CheckError):
    """A tool that took longer than it may."""
