// SPDX-License-Identifier: Apache-2.0
// The small Verilog emitter: header, ports, instances and indentation of one emitted module.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gen/config.hpp"

namespace td {

/// Version of the generator, as written into everything it emits.
std::string_view generator_version();

enum class Direction { input, output };

/// One port of an emitted module. `width` is in bits; width 0 stands for a scalar.
struct Port {
  Direction direction;
  std::string name;
  int width;
  std::string text;
};

/// `[width-1:0] `, or nothing for a scalar (width 0).
std::string range(int width);

/// `{a, b, c}`, or the one item alone.
std::string concatenation(const std::vector<std::string>& items);

/// `a | b | c`.
std::string any_of(const std::vector<std::string>& items);

/// Words wrapped after `limit` characters, each line after the first indented by `indent`.
std::string wrap(const std::vector<std::string>& words, std::size_t limit, std::string_view indent);

/// The comment lines at the top of every emitted file.
std::string emitted_header(const Config& config, std::string_view purpose);

/// One module under construction. Its name is the configuration's name, `_` and the block.
class Module {
 public:
  Module(const Config& config, std::string_view block, std::string_view purpose);

  void input(std::string name, int width, std::string text);
  void output(std::string name, int width, std::string text);
  void port(Port port) { ports_.push_back(std::move(port)); }

  /// An empty line, then a comment.
  void comment(std::string_view text);

  /// One or more lines of the body, indented as given; formatted as fmt does.
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    append(fmt::format(format, std::forward<Args>(args)...));
  }

  using Connections = std::vector<std::pair<std::string, std::string>>;

  /// An instance of a block of this configuration.
  void instance(std::string_view block, std::string_view instance_name,
                const Connections& parameters, const Connections& ports);

  /// The name that a block of this configuration has as a module.
  std::string module_name(std::string_view block) const;

  /// The finished text.
  std::string text() const;

 private:
  void append(std::string_view line);

  const Config& config_;
  std::string block_;
  std::string purpose_;
  std::vector<Port> ports_;
  std::string body_;
};

}  // namespace td
