// SPDX-License-Identifier: Apache-2.0
// What a training job does, as tasks that wait for one another and share resources.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace td::job {

using TaskId = std::uint32_t;      ///< index into Graph::tasks()
using ResourceId = std::uint32_t;  ///< index into Graph::resources()

/// Tasks of a graph, at most: about 3 GB, with their edges.
inline constexpr std::int64_t kMostTasks = std::int64_t{1} << 23;

/// Of a task that occupies nothing: it passes its time beside all others, as a transfer does on
/// links that are nobody's bottleneck.
inline constexpr ResourceId kNoResource = UINT32_MAX;

enum class ResourceKind { compute, link, input, disk };
std::string_view to_string(ResourceKind kind);

/// Which of the tasks that are ready a resource takes when it is idle. It takes one at a time, and
/// none is taken from it again.
enum class Policy {
  fifo,      ///< the one that was ready first; of those, the one with the smallest id
  priority,  ///< smallest Task::rank; of those as fifo
  fixed,     ///< all in the order of Task::rank, even if one of a later rank is ready already
};

struct Resource {
  std::string name;  ///< "accelerator 3", "uplink 0"
  ResourceKind kind = ResourceKind::compute;
  Policy policy = Policy::fifo;
};

struct Task {
  std::string name;
  ResourceId resource = kNoResource;
  double seconds = 0;          ///< duration: finite, not negative
  std::int64_t rank = 0;       ///< position for Policy::priority and Policy::fixed; smallest first
  std::string layer;           ///< what it is of, for selections; may be empty
  std::string phase;           ///< "forward", "backward", "update", "transfer", …; may be empty
  std::int64_t iteration = 0;  ///< of training, from 0; -1: of none that counts
  double bytes = 0;            ///< of what it makes for others, as a backward pass's gradients
};

/// `after` starts when `before` has ended, or later.
struct Edge {
  TaskId before;
  TaskId after;
};

/// Tasks, resources and edges. What is put in is checked at once; cycles are found by execute().
class Graph {
 public:
  /// `source` names the graph in messages: the file it was read from.
  explicit Graph(std::string source) : source_(std::move(source)) {}

  ResourceId add(Resource resource);

  /// Throws UserError for a resource that there is not, for a duration that is negative or not
  /// finite, and for more than kMostTasks.
  TaskId add(Task task);

  /// Throws UserError for a task that there is not.
  void add_edge(TaskId before, TaskId after);

  /// Throws UserError as add() does.
  void set_seconds(TaskId task, double seconds);
  void set_rank(TaskId task, std::int64_t rank);
  void set_policy(ResourceId resource, Policy policy);

  const std::string& source() const { return source_; }
  const std::vector<Resource>& resources() const { return resources_; }
  const std::vector<Task>& tasks() const { return tasks_; }
  const std::vector<Edge>& edges() const { return edges_; }

 private:
  void check_seconds(const std::string& name, double seconds) const;
  void check_task(TaskId task) const;

  std::string source_;
  std::vector<Resource> resources_;
  std::vector<Task> tasks_;
  std::vector<Edge> edges_;
};

/// For each task those that it is joined to, side by side: the ones of task t are
/// `items[begin[t]]` to `items[begin[t + 1] - 1]`, in the order of the edges.
struct Neighbours {
  std::vector<std::size_t> begin;
  std::vector<TaskId> items;
};
Neighbours successors(const Graph& graph);
Neighbours predecessors(const Graph& graph);

}  // namespace td::job
