// SPDX-License-Identifier: Apache-2.0
#include "sim/timeline/trace_events.hpp"

namespace td::sim {

using Json = nlohmann::ordered_json;

void TraceEvents::add_name(const char* what, std::size_t process, std::size_t track,
                           const std::string& name) {
  root_["traceEvents"].push_back(
      {{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", track}, {"args", {{"name", name}}}});
}

std::size_t TraceEvents::add_process(const std::string& name,
                                     const std::vector<std::string>& tracks) {
  add_name("process_name", processes_, 0, name);
  for (std::size_t track = 0; track < tracks.size(); ++track) {
    add_name("thread_name", processes_, track, tracks[track]);
  }
  return processes_++;
}

void TraceEvents::add_span(std::size_t process, std::size_t track, const TraceSpan& span,
                           const Json& args) {
  const auto clocks_of_us = static_cast<double>(clock_MHz_);
  Json event = {{"ph", "X"},
                {"name", span.name},
                {"cat", span.category},
                {"ts", static_cast<double>(span.begin) / clocks_of_us},
                {"dur", static_cast<double>(span.cycles) / clocks_of_us},
                {"args", {{"begin_cycle", span.begin}, {"cycles", span.cycles}}},
                {"pid", process},
                {"tid", track}};
  event["args"].update(args);
  root_["traceEvents"].push_back(std::move(event));
}

std::string TraceEvents::text() const {
  return root_.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace td::sim
