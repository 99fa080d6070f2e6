// SPDX-License-Identifier: Apache-2.0
#include "sim/system/graph/graph_timeline.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

namespace td::job {

namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string timeline_json(const Graph& graph, const Schedule& schedule) {
  constexpr double microseconds = 1e6;
  std::string text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
  const auto out = [&text](const auto&... arguments) {
    fmt::format_to(std::back_inserter(text), arguments...);
  };
  // Threads are numbered from 1: viewers take 0 for a process without one.
  const std::size_t nobody = graph.resources().size() + 1;
  out("{{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{{\"name\":{}}}}}",
      quoted(graph.source()));
  const auto name_thread = [&](std::size_t thread, const std::string& name) {
    out(",\n{{\"ph\":\"M\",\"pid\":1,\"tid\":{},\"name\":\"thread_name\",\"args\":{{\"name\":{}}}}"
        "}",
        thread, quoted(name));
  };
  for (std::size_t i = 0; i < graph.resources().size(); ++i) {
    name_thread(i + 1, graph.resources()[i].name);
  }
  name_thread(nobody, "on no resource");
  for (std::size_t t = 0; t < graph.tasks().size(); ++t) {
    const Task& task = graph.tasks()[t];
    const std::size_t thread = task.resource == kNoResource ? nobody : task.resource + 1;
    out(",\n{{\"ph\":\"X\",\"pid\":1,\"tid\":{},\"name\":{},\"cat\":{},\"ts\":{},\"dur\":{}}}",
        thread, quoted(task.name), quoted(task.phase), schedule.start[t] * microseconds,
        (schedule.end[t] - schedule.start[t]) * microseconds);
  }
  return text + "\n]}\n";
}

}  // namespace td::job
