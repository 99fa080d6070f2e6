// SPDX-License-Identifier: Apache-2.0
// What programs do at their edge.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "gen/base/error.hpp"

namespace td {

/// Exit status of `run()`. What it throws becomes one line on stderr: a UserError's own, else that
/// of the program called `name`.
template <class Run>
int run_program(const char* name, const Run& run) {
  try {
    return run();
  } catch (const UserError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return kExitUserError;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", name, error.what());
    return kExitCheckFailed;
  }
}

}  // namespace td
