// SPDX-License-Identifier: Apache-2.0
// All that the rooms of sim/system offer: the one list that a new room is added to.
#pragma once

#include <vector>

#include "sim/system/cases/case_file.hpp"
#include "sim/system/scenario/kinds.hpp"

namespace td::job {

const std::vector<CaseKind>& case_kinds();
const ScenarioKinds& scenario_kinds();

}  // namespace td::job
