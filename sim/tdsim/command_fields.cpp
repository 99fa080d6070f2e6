// SPDX-License-Identifier: Apache-2.0
// tdsim fields: the dictionary of results.
#include <cstdio>

#include "base/support/error.hpp"
#include "sim/results/result_fields.hpp"
#include "sim/tdsim/commands.hpp"

namespace td::sim {

Command fields_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("fields", "explain the fields of results, as Markdown");
  return {app, [] {
            std::fputs(fields_text().c_str(), stdout);
            return kExitPass;
          }};
}

}  // namespace td::sim
