// SPDX-License-Identifier: Apache-2.0
// Finds the text that a command line names: a user's file, or one built into the program.
#pragma once

#include <string>
#include <vector>

#include "base/support/embedded.hpp"

namespace td {

/// A text and the name of its file, for messages.
struct Document {
  std::string file;
  std::string text;
};

/// The file of that name, else the embedded one. Throws UserError; `option` is what the message
/// calls the name.
Document find_document(const std::string& name, const std::string& option,
                       const std::vector<EmbeddedFile>& embedded);

}  // namespace td
