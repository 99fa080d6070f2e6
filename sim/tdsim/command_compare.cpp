// SPDX-License-Identifier: Apache-2.0
// tdsim compare: two results side by side.
#include <cstdio>
#include <memory>

#include "base/support/error.hpp"
#include "sim/results/result_comparison.hpp"
#include "sim/tdsim/commands.hpp"

namespace td::sim {

Command compare_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("compare", "compare two results written with --json");
  struct Files {
    std::string a;
    std::string b;
  };
  const auto files = std::make_shared<Files>();
  app->add_option("A", files->a, "the one result")->required();
  app->add_option("B", files->b, "the other")->required();
  return {app, [files] {
            const StoredResult a = read_result(files->a);
            std::fputs(comparison_text(a, read_result(files->b)).c_str(), stdout);
            return kExitPass;
          }};
}

}  // namespace td::sim
