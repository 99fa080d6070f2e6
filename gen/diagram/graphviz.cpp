// SPDX-License-Identifier: Apache-2.0
#include "gen/diagram/graphviz.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "base/support/error.hpp"

namespace td {
namespace {

/// A file without a name that vanishes when closed: no pipe can fill up while nobody reads it.
class Scratch {
 public:
  Scratch() : file_(std::tmpfile(), &std::fclose) {
    if (file_ == nullptr) fail();
  }

  int descriptor() const { return fileno(file_.get()); }

  void write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail();
    if (std::fflush(file_.get()) != 0) fail();
    std::rewind(file_.get());
  }

  std::string read() {
    std::string text;
    std::rewind(file_.get());
    char part[4096];
    for (std::size_t size; (size = std::fread(part, 1, sizeof part, file_.get())) > 0;) {
      text.append(part, size);
    }
    return text;
  }

 private:
  [[noreturn]] static void fail() {
    throw UserError("temporary file", "write", std::strerror(errno), "a disk with room");
  }

  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

/// Runs dot on `in`, and returns its exit status.
int run_dot(const Scratch& in, const Scratch& out, const Scratch& errors) {
  // All positions are given: -n2 draws what is there and lays nothing out.
  const char* words[] = {"dot", "-Kneato", "-n2", "-Tsvg", nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.descriptor(), 0);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), 1);
  posix_spawn_file_actions_adddup2(&actions, errors.descriptor(), 2);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, words[0], &actions, nullptr, const_cast<char**>(words), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw UserError(fmt::format("dot: {}; diagrams need the package graphviz: run scripts/setup",
                                std::strerror(error)));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Removes every part of the text between two marks, the marks and what follows them included.
void remove_all(std::string& text, std::string_view begin, std::string_view end) {
  for (std::size_t at = 0; (at = text.find(begin, at)) != std::string::npos;) {
    const std::size_t stop = text.find(end, at);
    if (stop == std::string::npos) return;
    text.erase(at, stop + end.size() - at);
  }
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

std::string draw_svg(const std::string& dot) {
  Scratch in;
  const Scratch errors;
  Scratch out;
  in.write(dot);
  const int status = run_dot(in, out, errors);
  std::string svg = out.read();
  if (status != 0 || svg.find("</svg>") == std::string::npos) {
    throw std::runtime_error(fmt::format("dot failed with status {}", status));
  }
  // Comments tell Graphviz' version; titles of nameless things would show as hints; Graphviz has no
  // weight of a font, and SVG no stroke that is `transparent`.
  remove_all(svg, "<!-- ", "-->\n");
  remove_all(svg, "<title>~", "</title>\n");
  replace_all(svg, "sans-serif,bold\"", "sans-serif\" font-weight=\"bold\"");
  replace_all(svg, "stroke=\"transparent\"", "stroke=\"none\"");
  replace_all(svg, "<svg ", "<!-- SPDX-License-Identifier: 0BSD -->\n<svg role=\"img\" ");
  return svg;
}

}  // namespace td
