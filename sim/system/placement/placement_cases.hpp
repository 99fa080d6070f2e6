// SPDX-License-Identifier: Apache-2.0
// Cases of placements.
#pragma once

#include "sim/system/cases/case_file.hpp"

namespace td::job {

/// Lines of max_load.jsonl: the largest load of a device, by a method. Of what cannot be computed,
/// max_load is null and "refused" says why.
void answer_max_load(const CaseFile& file, const CaseOutput& print);

/// A graph, {layer,operator}_X.json: its nodes, blocks and ideals.
void answer_operator_graph(const CaseFile& file, const CaseOutput& print);

}  // namespace td::job
