// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/descriptor.hpp"

#include <type_traits>

#include "sim/accelerator/descriptor_fields.hpp"
#include "sim/mapping/mapping.hpp"

namespace td::sim {

namespace {

/// Puts values into fields.
class Writer {
 public:
  explicit Writer(std::uint32_t* words) : words_(words) {}

  template <class Value>
  void operator()(Field field, Value& value, unsigned base = 0) const {
    std::uint64_t bits = static_cast<std::uint64_t>(value);
    if (field.bits < 64) bits &= (std::uint64_t{1} << field.bits) - 1;
    words_[base + field.word] |= static_cast<std::uint32_t>(bits << field.bit);
    if (field.bits > 32) words_[base + field.word + 1] |= static_cast<std::uint32_t>(bits >> 32);
  }

 private:
  std::uint32_t* words_;
};

/// Takes values out of fields.
class Reader {
 public:
  explicit Reader(const std::uint32_t* words) : words_(words) {}

  template <class Value>
  void operator()(Field field, Value& value, unsigned base = 0) const {
    std::uint64_t bits = words_[base + field.word] >> field.bit;
    if (field.bits > 32) bits |= std::uint64_t{words_[base + field.word + 1]} << 32;
    if (field.bits < 64) bits &= (std::uint64_t{1} << field.bits) - 1;
    value = static_cast<Value>(bits);
  }

 private:
  const std::uint32_t* words_;
};

/// The sum of of_segment(address) over all segments, which is the same of those that are multiples
/// of `period` bytes apart.
template <class OfSegment>
std::int64_t sum_of_segments(const MemoryWalk& walk, std::int64_t period, OfSegment of_segment) {
  const auto apart = [&](std::uint16_t count, std::uint32_t pitch) {
    return count <= 1 || pitch % static_cast<std::uint64_t>(period) == 0;
  };
  if (apart(walk.segments, walk.segment_pitch) && apart(walk.planes, walk.plane_pitch)) {
    return std::int64_t{walk.segments} * walk.planes * of_segment(walk.address);
  }
  std::int64_t sum = 0;
  each_segment(walk, [&](std::uint64_t address) { sum += of_segment(address); });
  return sum;
}

// What follows names each field once, for both directions.

template <class Access, class Value>
void head(const Access& access, Value& value) {
  access(descriptor::wait_loads, value.waits.loads);
  access(descriptor::wait_computes, value.waits.computes);
  access(descriptor::wait_stores, value.waits.stores);
}

template <class Access, class Value>
void fields(const Access& access, Value& value, LoadDescriptor*) {
  access(load::side, value.side_b);
  access(load::interleave, value.interleave);
  access(load::packed, value.packed);
  access(load::row, value.row);
  access(load::address, value.memory.address);
  access(load::rows, value.memory.rows);
  access(load::segments, value.memory.segments);
  access(load::planes, value.memory.planes);
  access(load::segment_pitch, value.memory.segment_pitch);
  access(load::plane_pitch, value.memory.plane_pitch);
}

template <class Access, class Value>
void fields(const Access& access, Value& value, StoreDescriptor*) {
  access(store::tile, value.tile);
  access(store::wide, value.wide);
  access(store::word, value.word);
  access(store::word_pitch, value.word_pitch);
  access(store::address, value.memory.address);
  access(store::rows, value.memory.rows);
  access(store::segments, value.memory.segments);
  access(store::planes, value.memory.planes);
  access(store::segment_pitch, value.memory.segment_pitch);
  access(store::plane_pitch, value.memory.plane_pitch);
}

template <class Access, class Value>
void walk_fields(const Access& access, Value& value, unsigned base) {
  access(walk::row, value.row, base);
  access(walk::y, value.y, base);
  access(walk::x, value.x, base);
  access(walk::y_bound, value.y_bound, base);
  access(walk::x_bound, value.x_bound, base);
  access(walk::transpose, value.transpose, base);
  access(walk::fan, value.fan, base);
  access(walk::last_fan, value.last_fan, base);
  access(walk::interleave, value.interleave, base);
  access(walk::blocks, value.blocks, base);
  access(walk::fan_row_step, value.fan_row_step, base);
  access(walk::fan_y_step, value.fan_y_step, base);
  access(walk::fan_x_step, value.fan_x_step, base);
  for (unsigned i = 0; i < walk::levels; ++i) {
    const unsigned at = base + walk::level_word + i * walk::level_words;
    access(walk::level::count, value.levels[i].count, at);
    access(walk::level::y_step, value.levels[i].y_step, at);
    access(walk::level::x_step, value.levels[i].x_step, at);
    access(walk::level::row_step, value.levels[i].row_step, at);
  }
}

template <class Access, class Value>
void fields(const Access& access, Value& value, ComputeDescriptor*) {
  access(compute::dense, value.dense);
  access(compute::lanes_on_b, value.lanes_on_b);
  access(compute::accumulate, value.accumulate);
  access(compute::across, value.across);
  access(compute::keep, value.keep);
  access(compute::a_e5m2, value.a_e5m2);
  access(compute::b_e5m2, value.b_e5m2);
  access(compute::chunk_rows, value.chunk_rows);
  access(compute::group_pitch, value.group_pitch);
  access(compute::a_groups, value.a_groups);
  access(compute::b_groups, value.b_groups);
  access(compute::a_lines, value.a_lines);
  access(compute::b_lines, value.b_lines);
  access(compute::result_word, value.result_word);
  access(compute::result_pitch, value.result_pitch);
  walk_fields(access, value.a, walk::a_word);
  walk_fields(access, value.b, walk::b_word);
}

template <class Kind>
Descriptor read(const std::uint32_t* words) {
  Kind value;
  head(Reader(words), value);
  fields(Reader(words), value, static_cast<Kind*>(nullptr));
  return value;
}

template <class Kind>
constexpr std::uint32_t kind_number() {
  if (std::is_same_v<Kind, LoadDescriptor>) return load::kind;
  return std::is_same_v<Kind, ComputeDescriptor> ? compute::kind : store::kind;
}

}  // namespace

const Waits& waits_of(const Descriptor& descriptor) {
  return std::visit([](const auto& value) -> const Waits& { return value.waits; }, descriptor);
}

std::size_t descriptor_bytes(std::uint32_t kind) {
  switch (kind) {
    case load::kind:
      return load::bytes;
    case compute::kind:
      return compute::bytes;
    case store::kind:
      return store::bytes;
    default:
      return 0;
  }
}

std::size_t descriptor_bytes(const Descriptor& descriptor) {
  return std::visit(
      [](const auto& value) {
        return descriptor_bytes(kind_number<std::decay_t<decltype(value)>>());
      },
      descriptor);
}

std::uint32_t kind_of(std::uint32_t first_word) {
  std::uint32_t kind = 0;
  Reader{&first_word}(descriptor::kind, kind);
  return kind;
}

void encode(const Descriptor& descriptor, std::vector<std::uint32_t>& words) {
  std::visit(
      [&](const auto& value) {
        using Kind = std::decay_t<decltype(value)>;
        const std::uint32_t kind = kind_number<Kind>();
        const std::size_t begin = words.size();
        words.resize(begin + descriptor_bytes(kind) / 4);
        const Writer writer(&words[begin]);
        writer(descriptor::kind, kind);
        head(writer, value);
        fields(writer, value, static_cast<Kind*>(nullptr));
      },
      descriptor);
}

Descriptor decode(const std::uint32_t* words) {
  switch (kind_of(words[0])) {
    case load::kind:
      return read<LoadDescriptor>(words);
    case compute::kind:
      return read<ComputeDescriptor>(words);
    default:
      return read<StoreDescriptor>(words);
  }
}

std::int64_t beats_of(const Geometry& geometry, const LoadDescriptor& load) {
  const std::int64_t rows = load.memory.rows;
  if (load.packed == 0) {
    return sum_of_segments(load.memory, geometry.beat_bytes(), [&](std::uint64_t address) {
      return beats_of(geometry, address, rows);
    });
  }
  const auto row_bytes = static_cast<std::uint64_t>(geometry.row_bytes());
  const std::int64_t blocks =
      sum_of_segments(load.memory, kBurstRows * geometry.row_bytes(), [&](std::uint64_t address) {
        const auto first = static_cast<std::int64_t>(address / row_bytes % kBurstRows);
        return ceil_div(first + rows, kBurstRows);
      });
  return blocks * (load.packed / geometry.beat_rows);
}

// Bursts are cut between beats.
std::int64_t beats_of(const Geometry& geometry, const StoreDescriptor& store) {
  const std::int64_t rows = store.memory.rows * row_parts(geometry, store);
  return sum_of_segments(store.memory, geometry.beat_bytes(),
                         [&](std::uint64_t address) { return beats_of(geometry, address, rows); });
}

}  // namespace td::sim
