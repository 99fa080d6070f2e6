// SPDX-License-Identifier: Apache-2.0
// What is said of a user's mistake.
#pragma once

#include <string>

#include "base/support/error.hpp"

namespace td::unit {

/// The message with which `action()` refuses, or that it does not.
template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "(accepted)";
}

}  // namespace td::unit
