# SPDX-License-Identifier: Apache-2.0
"""A whole job on the page: a part of test_page.py."""

FIELDS = ("accelerators", "samples_per_s", "hours", "usd", "kwh", "samples_of_step", "memory_gb")


class Jobs:
    """Plans of jobs: as given, and of two kinds of hardware."""

    def answers(self):
        """(file, hardware as the file names it, answer)."""
        for name, kinds in (("job", ("",)), ("jobs", ("dense ", "tensordash "))):
            for kind in kinds:
                yield name, kind, {key.removeprefix(kind): value for key, value in self.found[name].items()
                                   if key.startswith(kind)}

    def test_jobs(self):
        rows = iter(self.rows("#job > .scroll table tbody tr"))
        answers = list(self.answers())
        for name in ("job", "jobs"):
            own = [answer for one, _, answer in answers if one == name]
            for answer in own:
                row = next(rows)
                self.assertEqual(row["texts"][1:3], [answer["composition"], answer["offering"]])
                # Of what draws no watts there is a dash.
                self.assertEqual([float(value) for value, _ in row["figures"]],
                                 [answer[field] for field in FIELDS if field in answer])
            for answer in own:
                self.assertEqual([float(value) for value, _ in next(rows)["figures"]],
                                 list(answer["percent_of_time"].values()))
        self.assertEqual(list(rows), [])

    def test_job_shares_are_drawn(self):
        drawn = self.drawn("job", "shown")  # of the first
        answer = self.found["job"]["percent_of_time"]
        self.same([one["percent"] for one in drawn], list(answer.values()))
        self.assertAlmostEqual(max(one["y1"] for one in drawn), 100)

    def test_job_front(self):
        rows = self.rows("#job details table tbody tr")
        front = [one for _, _, answer in self.answers() for one in answer["front"]]
        self.assertEqual([row["texts"][1] for row in rows], [one["composition"] for one in front])
        self.assertEqual([float(row["figures"][-1][0]) for row in rows], [one["usd"] for one in front])
