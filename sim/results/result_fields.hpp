// SPDX-License-Identifier: Apache-2.0
// The dictionary of a result's fields.
#pragma once

#include <string>

namespace td::sim {

/// Name, unit and meaning of every field of result_json() and result_csv(), as Markdown.
std::string fields_text();

}  // namespace td::sim
