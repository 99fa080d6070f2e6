// SPDX-License-Identifier: Apache-2.0
// Liberty's notation, whatever it says: groups, in groups, with attributes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace td::gate {

/// `name : value;` or `name (value, value);`. Quotes are taken off; a value that the file continues
/// on a further line still has the backslash and the line's end in it.
struct LibertyAttribute {
  std::string_view name;
  std::vector<std::string_view> values;
};

/// `type (name, name) { … }`. Refers to the text that it was read from.
struct LibertyGroup {
  std::string_view text;  ///< all of it, from its type to its closing brace
  std::string_view type;
  std::vector<std::string_view> names;
  std::vector<LibertyAttribute> attributes;
  std::vector<LibertyGroup> groups;

  /// The last attribute of this name; the last one holds in liberty.
  const LibertyAttribute* find(std::string_view name) const;

  /// The first value of that attribute; empty when there is none.
  std::string_view value(std::string_view name) const;

  /// The first name, empty when it has none.
  std::string_view name() const { return names.empty() ? std::string_view() : names[0]; }
};

/// The one `library` group that the text, of the file `path`, is. Throws UserError with the line.
LibertyGroup parse_liberty(std::string_view text, const std::string& path);

}  // namespace td::gate
