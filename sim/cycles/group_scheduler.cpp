// SPDX-License-Identifier: Apache-2.0
#include "sim/cycles/group_scheduler.hpp"

#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "base/support/parallel.hpp"
#include "sim/cycles/batch_scheduler.hpp"
#include "sim/cycles/mask_table.hpp"

namespace td::sim {
namespace {

/// A chunk of images has a table of about this size, so that it stays in a core's cache.
constexpr std::int64_t kChunkBytes = 1 << 20;

/// Where a single image needs more, chunks are loaded at once only while all together stay below.
constexpr std::int64_t kTableBytes = 1 << 26;

template <class Mask>
class GroupScheduling {
 public:
  using Take = std::function<void(const ScheduledGroups&)>;

  GroupScheduling(const Config& config, const GroupJob& job, const Take& take)
      : job_(job),
        take_(take),
        two_sided_(config.scheduling == Scheduling::two_sided),
        scheduler_(config, job.dense),
        masks_(make_masks(config.format, job.scheduled)),
        images_(masks_->images()) {
    std::int64_t bytes = masks_->image_masks() * static_cast<std::int64_t>(sizeof(Mask));
    if (two_sided_) {
      other_masks_ =
          make_masks(config.format, job.scheduled == Which::first ? Which::second : Which::first);
      images_ = std::max(images_, other_masks_->images());
      bytes += other_masks_->image_masks() * static_cast<std::int64_t>(sizeof(Mask));
    }
    if (job.source.has_equal_slabs()) std::swap(images_, repeats_);
    chunk_images_ =
        std::clamp<std::int64_t>(kChunkBytes / std::max<std::int64_t>(bytes, 1), 1, images_);
    if (job.order != nullptr) {
      const std::int64_t together = job.order->pool_images();
      chunk_images_ = std::min(ceil_div(chunk_images_, together) * together, images_);
    }
    chunk_bytes_ = bytes * chunk_images_;
    for (const StreamSet& set : job.sets.sets) {
      const Block block = job.mapping.blocks()[set.first_block];
      Steps steps{
          set, masks_->offsets(block), {}, filling_lanes<Mask>(job.layer, job.mapping, block), 0};
      steps.piece_rows = job.piece_rows.empty() ? static_cast<std::int64_t>(steps.offsets.size())
                                                : job.piece_rows[steps_.size()];
      steps_.push_back(std::move(steps));
      if (two_sided_) steps_.back().other_offsets = other_masks_->offsets(block);
    }
  }

  void run() {
    const std::int64_t chunks = (images_ - 1) / chunk_images_ + 1;
    if (chunk_bytes_ * tbb::this_task_arena::max_concurrency() > kTableBytes) {
      for (std::int64_t chunk = 0; chunk < chunks; ++chunk) run_chunk(chunk * chunk_images_);
      return;
    }
    parallel_for(chunks, [this](std::int64_t chunk) {
      // Isolated, a thread that waits for its batches does not load another chunk meanwhile.
      tbb::this_task_arena::isolate([this, chunk] { run_chunk(chunk * chunk_images_); });
    });
  }

 private:
  using Workspace = typename BatchScheduler<Mask>::Workspace;

  /// How the streams of a set are read, row by row.
  struct Steps {
    const StreamSet& set;
    std::vector<std::uint32_t> offsets;
    std::vector<std::uint32_t> other_offsets;
    std::vector<Mask> filling;
    std::int64_t piece_rows;
  };

  /// What the batches of a chunk and set share.
  struct Run {
    const Steps& steps;
    const StreamSet& set;
    std::vector<StreamPart> parts;
    const MaskTable<Mask>& table;
    const MaskTable<Mask>* other_table;
  };

  std::unique_ptr<StreamMasks<Mask>> make_masks(Format format, Which which) const {
    return make_stream_masks<Mask>({job_.source, job_.layer, job_.mapping, which, format});
  }

  void run_chunk(std::int64_t begin) {
    const std::int64_t end = std::min(images_, begin + chunk_images_);
    const MaskTable<Mask> table(*masks_, begin, end);
    std::unique_ptr<MaskTable<Mask>> other;
    if (two_sided_) other = std::make_unique<MaskTable<Mask>>(*other_masks_, begin, end);
    for (const Steps& steps : steps_) {
      run_set({steps, steps.set, stream_parts(job_.sets, steps.set, job_.mapping, begin, end),
               table, other.get()});
    }
  }

  void run_set(const Run& run) {
    const std::int64_t units = static_cast<std::int64_t>(run.parts.size()) * run.set.groups;
    const std::int64_t width = scheduler_.width();
    parallel_pieces((units - 1) / width + 1, [&](std::int64_t begin, std::int64_t end) {
      Workspace workspace(scheduler_);
      for (std::int64_t batch = begin; batch < end; ++batch) {
        run_batch(run, batch * width, std::min(units, (batch + 1) * width), workspace);
      }
    });
  }

  /// Of the units of a batch.
  std::vector<std::int64_t> numbers(const Run& run, std::int64_t begin, std::int64_t end) const {
    std::vector<std::int64_t> numbers;
    for (std::int64_t unit = begin; unit < end; ++unit) {
      const StreamPart& part = run.parts[static_cast<std::size_t>(unit / run.set.groups)];
      numbers.push_back(run.set.first_number + part.stream_class * run.set.class_numbers +
                        unit % run.set.groups * run.set.group_numbers);
    }
    return numbers;
  }

  std::vector<std::int64_t> images(const Run& run, std::int64_t begin, std::int64_t end) const {
    std::vector<std::int64_t> images;
    for (std::int64_t unit = begin; unit < end; ++unit) {
      images.push_back(run.parts[static_cast<std::size_t>(unit / run.set.groups)].image);
    }
    return images;
  }

  bool any_wanted(const StreamSet& set, const std::vector<std::int64_t>& numbers) const {
    return !job_.wanted || std::any_of(numbers.begin(), numbers.end(), [&](std::int64_t number) {
      return job_.wanted(set, number);
    });
  }

  void run_batch(const Run& run, std::int64_t begin, std::int64_t end, Workspace& workspace) {
    const std::vector<std::int64_t> numbers = this->numbers(run, begin, end);
    if (!any_wanted(run.set, numbers)) return;
    const auto lines = static_cast<std::size_t>(scheduler_.tile_rows() * scheduler_.width());
    std::fill_n(workspace.present, lines, Mask{0});
    std::fill(workspace.bases.begin(), workspace.bases.end(), 0);
    std::fill(workspace.other_bases.begin(), workspace.other_bases.end(), 0);
    for (std::int64_t unit = begin; unit < end;) {
      const StreamPart& part = run.parts[static_cast<std::size_t>(unit / run.set.groups)];
      const std::int64_t group = unit % run.set.groups;
      const std::int64_t count = std::min(end - unit, run.set.groups - group);
      const auto column = static_cast<std::size_t>(unit - begin);
      if (two_sided_) {
        place_pairs(run, part, group, count, column, workspace);
      } else {
        place_groups(run, part, group, count, column, workspace);
      }
      unit += count;
    }
    const std::vector<std::int64_t> images = this->images(run, begin, end);
    const auto rows = static_cast<std::int64_t>(run.steps.offsets.size());
    const std::int64_t step = run.steps.piece_rows;
    for (std::int64_t piece = 0; piece * step < rows; ++piece) {
      LaneCounts lanes;
      scheduler_.run(batch(run, piece * step, std::min(rows, (piece + 1) * step)), workspace,
                     lanes);
      const std::lock_guard<std::mutex> lock(mutex_);
      take_({run.set, numbers, images, workspace.cycles, lanes, repeats_, piece});
    }
  }

  /// These rows of all streams.
  Batch<Mask> batch(const Run& run, std::int64_t begin, std::int64_t end) const {
    Batch<Mask> batch;
    batch.table = run.table.data();
    batch.offsets = run.steps.offsets.data() + begin;
    batch.filling = run.steps.filling.data() + begin;
    batch.rows = end - begin;
    if (two_sided_) {
      batch.other_table = run.other_table->data();
      batch.other_offsets = run.steps.other_offsets.data() + begin;
    }
    return batch;
  }

  Block block_of(const Run& run, const StreamPart& part) const {
    return job_.mapping.blocks()[run.set.block_of(part.stream_class)];
  }

  /// Puts groups of streams into the batch, from column `column` on.
  void place_groups(const Run& run, const StreamPart& part, std::int64_t group, std::int64_t count,
                    std::size_t column, Workspace& workspace) const {
    const std::int64_t rows = scheduler_.tile_rows();
    const auto width = static_cast<std::size_t>(scheduler_.width());
    const std::int64_t first = group * rows;
    const std::int64_t streams = std::min(count * rows, run.set.streams - first);
    std::vector<std::uint32_t> bases(static_cast<std::size_t>(streams));
    bases_of(run, part, first, bases);
    std::size_t row = 0;
    for (std::uint32_t base : bases) {
      workspace.bases[row * width + column] = base;
      workspace.present[row * width + column] = 1;
      if (++row == static_cast<std::size_t>(rows)) {
        row = 0;
        ++column;
      }
    }
  }

  /// Of the streams that are dealt from place `first` on.
  void bases_of(const Run& run, const StreamPart& part, std::int64_t first,
                std::vector<std::uint32_t>& bases) const {
    if (job_.order == nullptr) {
      run.table.bases(block_of(run, part), part.image, first,
                      static_cast<std::int64_t>(bases.size()), bases.data());
      return;
    }
    for (std::uint32_t& base : bases) {
      const DealtStream dealt = job_.order->at(job_.sets, run.set, part, first++);
      run.table.bases(block_of(run, dealt.part), dealt.part.image, dealt.stream, 1, &base);
    }
  }

  /// Puts passes of a single PE into the batch: second streams are the inner loop.
  void place_pairs(const Run& run, const StreamPart& part, std::int64_t pass, std::int64_t count,
                   std::size_t column, Workspace& workspace) const {
    const Block block = block_of(run, part);
    const bool first_is_scheduled = job_.scheduled == Which::first;
    for (std::int64_t end = pass + count; pass < end;) {
      const std::int64_t second = pass % block.second_streams;
      const std::int64_t run_length = std::min(end - pass, block.second_streams - second);
      std::uint32_t* first_bases =
          (first_is_scheduled ? workspace.bases : workspace.other_bases).data() + column;
      std::uint32_t* second_bases =
          (first_is_scheduled ? workspace.other_bases : workspace.bases).data() + column;
      const MaskTable<Mask>& first_table = first_is_scheduled ? run.table : *run.other_table;
      const MaskTable<Mask>& second_table = first_is_scheduled ? *run.other_table : run.table;
      first_table.bases(block, part.image, pass / block.second_streams, 1, first_bases);
      std::fill_n(first_bases, run_length, *first_bases);
      second_table.bases(block, part.image, second, run_length, second_bases);
      std::fill_n(workspace.present + column, run_length, Mask{1});
      pass += run_length;
      column += static_cast<std::size_t>(run_length);
    }
  }

  const GroupJob& job_;
  const Take& take_;
  bool two_sided_;
  BatchScheduler<Mask> scheduler_;
  std::unique_ptr<StreamMasks<Mask>> masks_;        ///< of the scheduled side
  std::unique_ptr<StreamMasks<Mask>> other_masks_;  ///< two-sided only
  std::int64_t images_;
  std::int64_t repeats_ = 1;  ///< images that each of them stands for
  std::int64_t chunk_images_ = 1;
  std::int64_t chunk_bytes_ = 0;
  std::vector<Steps> steps_;  ///< [set]
  std::mutex mutex_;
};

}  // namespace

void schedule_groups(const Config& config, const GroupJob& job,
                     const std::function<void(const ScheduledGroups&)>& take) {
  if (config.lanes <= 16) {
    GroupScheduling<std::uint16_t>(config, job, take).run();
  } else if (config.lanes <= 32) {
    GroupScheduling<std::uint32_t>(config, job, take).run();
  } else {
    GroupScheduling<std::uint64_t>(config, job, take).run();
  }
}

}  // namespace td::sim
