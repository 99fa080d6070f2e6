// SPDX-License-Identifier: Apache-2.0
// What programs do at their edge.
#pragma once

#include <errno.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include "base/support/error.hpp"

namespace td {

/// Says that the program was interrupted, on a line that is clean, and ends it.
inline void end_interrupted(int) {
  const auto say = [](const char* text) { return ::write(STDERR_FILENO, text, std::strlen(text)); };
  [[maybe_unused]] const bool said = (::isatty(STDERR_FILENO) == 0 || say("\r\033[K") > 0) &&
                                     say(program_invocation_short_name) > 0 &&
                                     say(": interrupted\n") > 0;
  ::_exit(kExitInterrupted);
}

/// Lets Ctrl-C end the program so, unless who started it has it ignored.
inline void end_when_interrupted() {
  if (std::signal(SIGINT, end_interrupted) == SIG_IGN) std::signal(SIGINT, SIG_IGN);
}

/// Exit status of `run()`. What it throws becomes one line on stderr: a UserError's own, else that
/// of the program called `name`.
template <class Run>
int run_program(const char* name, const Run& run) {
  end_when_interrupted();
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
