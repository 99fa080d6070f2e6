// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/dma/dma_transfer.hpp"

#include <algorithm>
#include <vector>

namespace td::verify {
namespace {

constexpr unsigned kField = 2;
constexpr unsigned kUnaligned = 3;
constexpr unsigned kOutside = 4;
constexpr std::uint64_t kAddressEnd = std::uint64_t{1} << 40;
constexpr unsigned kBurst = 64;  ///< rows; bursts end at multiples of so many

struct Beat {
  std::uint64_t address;
  std::uint64_t local;
};

unsigned beats_of_row(const DmaShape& shape, const Transfer& transfer) {
  return transfer.store && transfer.wide && shape.width == 16 ? 2 : 1;
}

/// The beats of a segment.
std::vector<Beat> segment(const DmaShape& shape, const Transfer& t, unsigned plane, unsigned s) {
  std::vector<Beat> beats;
  const std::uint64_t address =
      t.address + std::uint64_t{plane} * t.plane_pitch + std::uint64_t{s} * t.segment_pitch;
  const std::uint64_t number = std::uint64_t{plane} * t.segments + s;
  const std::uint64_t local =
      t.store ? (t.local + number * t.word_pitch) * shape.segment : t.local + number * t.rows;
  const unsigned step = t.store ? results_of_beat(shape, t) : 1;
  for (unsigned beat = 0; beat < t.rows * beats_of_row(shape, t); ++beat) {
    beats.push_back(
        {address + std::uint64_t{beat} * shape.row_bytes(), local + std::uint64_t{beat} * step});
  }
  return beats;
}

/// Of the beats begin..end-1, which are one burst.
unsigned judge(const DmaShape& shape, const Transfer& t, const Window& window,
               const std::vector<Beat>& beats, std::size_t begin, std::size_t end) {
  const Beat& last = beats[end - 1];
  const std::uint64_t limit =
      t.store ? std::uint64_t{shape.result_words} * shape.segment : shape.operand_rows;
  if (last.local + (t.store ? results_of_beat(shape, t) : 1) > limit) return kField;
  const std::uint64_t unit = t.store ? 1 : shape.beat_bytes();  // the window counts in
  const std::uint64_t block = block_of(shape, last.address);
  const std::uint64_t from = t.packed > 0 ? block : beats[begin].address;
  const std::uint64_t to =
      t.packed > 0 ? block + kBurst * shape.row_bytes() : last.address + shape.row_bytes();
  if (from < window.begin / unit * unit || last.address >= kAddressEnd ||
      to > window.end / unit * unit) {
    return kOutside;
  }
  return 0;
}

/// The elements of a packed block that are kept, up to the end of a row.
unsigned kept(const DmaShape& shape, const DmaImage& image, std::uint64_t block, unsigned rows) {
  unsigned count = 0;
  for (unsigned bit = 0; bit < rows * shape.lanes; ++bit) {
    count += image.bytes[block - image.begin + bit / 8] >> bit % 8 & 1U;
  }
  return count;
}

/// Whether a load may say so.
bool is_packed(const DmaShape& shape, const Transfer& t) {
  return t.packed == 0 || (shape.unpack_rows > 0 && t.packed >= kBurst / shape.width &&
                           t.packed < kBurst && t.packed % shape.beat_rows == 0);
}

}  // namespace

std::array<std::uint32_t, 16> Transfer::words() const {
  std::array<std::uint32_t, 16> result{};
  result[0] = store ? 3 : 1;
  result[3] = target | (wide ? 0x100U : 0U);
  result[4] = static_cast<std::uint32_t>(address);
  result[5] = static_cast<std::uint32_t>(address >> 32);
  result[6] = local;
  result[7] = rows | (segments << 16);
  result[8] = planes;
  result[9] = segment_pitch;
  result[10] = plane_pitch;
  if (store) result[11] = word_pitch;
  result[3] |= packed << 16 | interleave << 8;
  return result;
}

unsigned results_of_beat(const DmaShape& shape, const Transfer& transfer) {
  return shape.lanes / beats_of_row(shape, transfer);
}

std::uint64_t block_of(const DmaShape& shape, std::uint64_t address) {
  return address - address % (kBurst * shape.row_bytes());
}

std::vector<std::uint8_t> loaded_row(const DmaShape& shape, const Transfer& t,
                                     const DmaImage& image, std::uint64_t address) {
  const auto at = [&](std::uint64_t byte) {
    return image.bytes.begin() + static_cast<std::ptrdiff_t>(byte - image.begin);
  };
  if (t.packed == 0) return {at(address), at(address + shape.row_bytes())};
  const std::uint64_t block = block_of(shape, address);
  const auto row = static_cast<unsigned>((address - block) / shape.row_bytes());
  const unsigned size = shape.width / 8;
  std::uint64_t value = block + std::uint64_t{kBurst / shape.width} * shape.row_bytes() +
                        std::uint64_t{kept(shape, image, block, row)} * size;
  std::vector<std::uint8_t> bytes(shape.row_bytes());
  for (unsigned lane = 0; lane < shape.lanes; ++lane) {
    const unsigned bit = row * shape.lanes + lane;
    if ((*at(block + bit / 8) >> bit % 8 & 1) == 0) continue;
    std::copy_n(at(value), size, bytes.begin() + lane * size);
    value += size;
  }
  return bytes;
}

unsigned walk(const DmaShape& shape, const Transfer& t, const Window& window, const OnBeat& on_beat,
              const DmaImage* image) {
  if (t.rows == 0 || t.segments == 0 || t.planes == 0) return kField;
  if (t.store && t.target >= shape.tiles) return kField;
  if (!is_packed(shape, t)) return kField;
  const unsigned row_words = shape.lanes / shape.segment;
  if (t.store && (t.local % row_words != 0 || t.word_pitch % row_words != 0)) return kField;
  const unsigned beat_bytes = shape.row_bytes();
  if (t.address % beat_bytes != 0 || t.segment_pitch % beat_bytes != 0 ||
      t.plane_pitch % beat_bytes != 0) {
    return kUnaligned;
  }
  for (unsigned plane = 0; plane < t.planes; ++plane) {
    for (unsigned s = 0; s < t.segments; ++s) {
      const std::vector<Beat> beats = segment(shape, t, plane, s);
      const auto block = [&](std::size_t i) { return beats[i].address / (kBurst * beat_bytes); };
      for (std::size_t begin = 0, end = 0; begin < beats.size(); begin = end) {
        while (end < beats.size() && block(end) == block(begin)) ++end;
        if (const unsigned code = judge(shape, t, window, beats, begin, end)) return code;
        if (t.packed > 0 && image != nullptr) {
          const std::uint64_t from = block_of(shape, beats[begin].address);
          const auto rows =
              static_cast<unsigned>((beats[end - 1].address - from) / shape.row_bytes()) + 1;
          const unsigned room = (t.packed - kBurst / shape.width) * shape.lanes;
          if (kept(shape, *image, from, rows) > room) return kPacked;
        }
        for (std::size_t i = begin; i < end; ++i) on_beat(beats[i].address, beats[i].local);
      }
    }
  }
  return 0;
}

bool write_result(const DmaShape& shape, const Transfer& transfer, std::uint32_t bits,
                  std::uint8_t* bytes) {
  unsigned size = 4;
  if (shape.width == 16 && !transfer.wide) {
    size = 2;
    const bool nan = (bits & 0x7fffffff) > 0x7f800000;
    bits = nan ? 0x7fc0 : (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  }
  for (unsigned i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(bits >> (8 * i));
  return (bits & (size == 2 ? 0x7fffU : 0x7fffffffU)) == 0;
}

Transfer draw_transfer(Draw& draw, const DmaShape& shape, const Window& window, bool store,
                       Blocks blocks) {
  Transfer t;
  for (int attempt = 0; attempt < 20; ++attempt) {
    t = Transfer{};
    t.store = store;
    t.target = static_cast<unsigned>(draw.below(store ? shape.tiles : 2));
    t.interleave = store ? 0 : static_cast<unsigned>(draw.below(32));
    t.wide = store && draw.chance(0.4);
    const unsigned beat = shape.row_bytes();
    const std::uint64_t first = (window.begin + beat - 1) / beat;
    const std::uint64_t behind = std::max(window.end / beat, first + 1);
    t.address = (first + draw.below(behind - first)) * beat;
    if (draw.chance(0.2)) t.address = (t.address | 0xfff) + 1 - beat * draw.between(1, 3);
    t.rows = static_cast<unsigned>(draw.chance(0.15) ? draw.between(60, 150) : draw.between(1, 9));
    t.segments = static_cast<unsigned>(draw.chance(0.5) ? 1 : draw.between(1, 5));
    t.planes = static_cast<unsigned>(draw.chance(0.7) ? 1 : draw.between(1, 3));
    const unsigned bytes = t.rows * beats_of_row(shape, t) * beat;
    t.segment_pitch =
        static_cast<std::uint32_t>(draw.chance(0.5) ? bytes : beat * draw.below(4 * t.rows + 4));
    t.plane_pitch = static_cast<std::uint32_t>(draw.chance(0.5) ? t.segments * t.segment_pitch
                                                                : beat * draw.below(300));
    const std::uint64_t size = std::uint64_t{t.segments} * bytes;
    if (draw.chance(0.1) && size < window.end - window.begin) {  // up to the last byte
      t.planes = 1;
      t.segment_pitch = bytes;
      t.address = window.end / beat * beat - size;
    }
    const unsigned row_words = store ? shape.lanes / shape.segment : 1;
    const unsigned places = store ? shape.result_words / row_words : shape.operand_rows;
    t.local = static_cast<std::uint32_t>(draw.below(places)) / (draw.chance(0.5) ? 8 : 1);
    t.local *= row_words;
    t.word_pitch = row_words * static_cast<unsigned>(draw.chance(0.5) ? t.rows : draw.below(20));
    const bool full = blocks == Blocks::full, sparse = blocks == Blocks::sparse;
    if (draw.chance(0.08)) {  // many short ones, which may lie upon each other
      t.rows = t.segments = t.planes = 1;
      (draw.chance(0.5) ? t.segments : t.planes) = static_cast<unsigned>(draw.between(60, 300));
      t.segment_pitch = static_cast<std::uint32_t>(beat * draw.below(4));
      t.plane_pitch = static_cast<std::uint32_t>(beat * draw.below(4));
      t.local = row_words * static_cast<std::uint32_t>(draw.below(4));
      t.word_pitch = row_words * static_cast<unsigned>(draw.below(2));
    }
    if (!store && shape.unpack_rows > 0 && (full || draw.chance(0.5))) {
      // Of the bits of random masks are half ones, or fewer.
      const std::uint64_t least = kBurst / shape.width, half = least + (sparse ? 4 : 36);
      const std::uint64_t packed = full || (!sparse && draw.chance(0.1)) ? 60
                                   : draw.chance(0.7) ? draw.between(half, sparse ? half : 63)
                                                      : draw.between(least, half);
      t.packed = static_cast<unsigned>(packed) / shape.beat_rows * shape.beat_rows;
      if (full || draw.chance(0.4)) {  // blocks come faster than they leave
        t.segments = t.planes = 1;
        t.rows = shape.operand_rows - 20;
        t.local = static_cast<std::uint32_t>(draw.below(20));
      }
    }
    if (walk(shape, t, window, [](std::uint64_t, std::uint64_t) {}) == 0) break;
  }
  return t;
}

void spoil(Draw& draw, const DmaShape& shape, const Window& window, Transfer& t) {
  const unsigned beat = shape.row_bytes();
  if (!t.store && draw.chance(0.1)) {
    const std::uint64_t masks = kBurst / shape.width;
    t.packed = static_cast<unsigned>(draw.chance(0.5) ? draw.between(64, 255)
                                                      : draw.between(1, masks - 1));
    return;
  }
  if (!t.store && draw.chance(0.1)) {  // a row within, of a block that may end outside
    t.rows = t.segments = t.planes = 1;
    t.address = (window.end / beat - 1) * beat;
    t.packed = shape.unpack_rows > 0 ? 60 : 0;
    return;
  }
  switch (draw.below(16)) {
    case 0:
      t.rows = 0;
      break;
    case 1:
      t.segments = 0;
      break;
    case 2:
      t.planes = 0;
      break;
    case 3:
      t.address += draw.between(1, beat - 1);
      break;
    case 4:
      t.segment_pitch += static_cast<std::uint32_t>(draw.between(1, beat - 1));
      break;
    case 5:
      t.plane_pitch += static_cast<std::uint32_t>(draw.between(1, beat - 1));
      break;
    case 6:
      t.address = (window.end / beat - draw.between(1, 4)) * beat;
      break;
    case 7:
      t.address = ((window.begin + beat - 1) / beat - draw.between(1, 4)) * beat;
      break;
    case 8:
      t.address |= std::uint64_t{1} << draw.between(38, 63);
      break;
    case 9:  // at the end, or far beyond it
      t.local = draw.chance(0.5) ? (t.store ? shape.result_words : shape.operand_rows) - t.local % 4
                                 : std::uint32_t{1} << (draw.chance(0.5) ? 9 : draw.between(8, 31));
      break;
    case 14:  // within a row of results
      if (t.store) (draw.chance(0.5) ? t.local : t.word_pitch) += 1;
      break;
    case 13:  // where adding wraps
      t.local = 0U - static_cast<std::uint32_t>(draw.between(1, 2));
      break;
    case 10:
      t.segments = 3;
      t.planes = 2;
      (draw.chance(0.5) ? t.segment_pitch : t.plane_pitch) =
          static_cast<std::uint32_t>(draw.below(std::uint64_t{1} << 32) / beat * beat);
      break;
    case 11:  // results far beyond the end
      t.segments += 1;
      if (t.store) t.word_pitch |= 1U << draw.between(8, 15);
      break;
    case 12:
      if (t.store) t.target = static_cast<unsigned>(draw.between(shape.tiles, 255));
      break;
    default:
      t.address = (std::uint64_t{1} << draw.between(40, 42)) - beat * draw.between(1, 4);
  }
}

}  // namespace td::verify
