// SPDX-License-Identifier: Apache-2.0
// Streams of windows, of filters and of output positions.
#include "verify/authors/model/streams.hpp"

#include "verify/authors/model/axis.hpp"

namespace td::authors {
namespace {

/// Appends `count` elements, 16 to a row, the tail of the last row filled with zeros.
template <class Element>
void append_rows(Stream& stream, std::int64_t count, Element element) {
  for (std::int64_t first = 0; first < count; first += kLanes) {
    Row row{};
    for (int lane = 0; lane < kLanes; ++lane) {
      const std::int64_t i = first + lane;
      if (i < count) row[static_cast<std::size_t>(lane)] = element(i);
    }
    stream.push_back(row);
  }
}

/// For y in the kernel (slow), for x, for blocks of 16 channels (fast).
Stream window_stream(const NonZero& tensor, std::int64_t image, const Axis& x, std::int64_t at_x,
                     const Axis& y, std::int64_t at_y) {
  Stream stream;
  for (std::size_t ty = 0; ty < y.kernel.size(); ++ty) {
    for (std::size_t tx = 0; tx < x.kernel.size(); ++tx) {
      append_rows(stream, tensor.channels, [&](std::int64_t channel) {
        return tensor.at(image, channel, at_x * x.step + x.offset + static_cast<std::int64_t>(tx),
                         at_y * y.step + y.offset + static_cast<std::int64_t>(ty));
      });
    }
  }
  return stream;
}

/// Windows are enumerated x fast, y slow.
std::vector<Stream> window_streams(const NonZero& tensor, std::int64_t image, const Axis& x,
                                   const Axis& y) {
  std::vector<Stream> streams;
  for (std::int64_t at_y = 0; at_y < y.windows; ++at_y) {
    for (std::int64_t at_x = 0; at_x < x.windows; ++at_x) {
      streams.push_back(window_stream(tensor, image, x, at_x, y, at_y));
    }
  }
  return streams;
}

/// fwd: a stream is a filter, over its channels. dgrad: a stream is a channel, over the filters.
std::vector<Stream> filter_streams(const NonZero& w, bool forward, const Axis& x, const Axis& y) {
  const std::int64_t streams = forward ? w.outer : w.channels;
  const std::int64_t reduced = forward ? w.channels : w.outer;
  std::vector<Stream> result(static_cast<std::size_t>(streams));
  for (std::int64_t i = 0; i < streams; ++i) {
    for (const std::int64_t s : y.kernel) {
      for (const std::int64_t r : x.kernel) {
        append_rows(result[static_cast<std::size_t>(i)], reduced,
                    [&](std::int64_t j) { return forward ? w.at(i, j, r, s) : w.at(j, i, r, s); });
      }
    }
  }
  return result;
}

/// A channel's values at P*Q positions, x fast: (x, y) reads (x * step + x0, y * step + y0).
std::vector<Stream> position_streams(const NonZero& tensor, std::int64_t image,
                                     const NonZero& positions, std::int64_t step, std::int64_t x0,
                                     std::int64_t y0) {
  std::vector<Stream> streams(static_cast<std::size_t>(tensor.channels));
  for (std::int64_t channel = 0; channel < tensor.channels; ++channel) {
    append_rows(streams[static_cast<std::size_t>(channel)], positions.size_x * positions.size_y,
                [&](std::int64_t i) {
                  const std::int64_t x = i % positions.size_x;
                  const std::int64_t y = i / positions.size_x;
                  return tensor.at(image, channel, x * step + x0, y * step + y0);
                });
  }
  return streams;
}

Phase wgrad_phase(const Convolution& conv, std::int64_t image) {
  Phase phase;
  for (std::int64_t y0 = 0; y0 < conv.w.size_y; ++y0) {
    for (std::int64_t x0 = 0; x0 < conv.w.size_x; ++x0) {
      phase.push_back({position_streams(conv.a, image, conv.go, conv.stride, x0 - conv.padding,
                                        y0 - conv.padding),
                       position_streams(conv.go, image, conv.go, 1, 0, 0)});
    }
  }
  return phase;
}

}  // namespace

std::vector<Phase> make_phases(const Convolution& conv, sim::Op op, std::int64_t image,
                               const Rules& rules) {
  if (op == sim::Op::wgrad) return {wgrad_phase(conv, image)};
  const bool forward = op == sim::Op::fwd;
  const NonZero& first = forward ? conv.a : conv.go;
  const auto axes = [&](Dimension dimension) {
    return forward ? std::vector<Axis>{fwd_axis(conv, dimension)}
                   : dgrad_axes(conv, dimension, rules);
  };
  std::vector<Phase> phases;
  for (const Axis& y : axes(Dimension::y)) {
    for (const Axis& x : axes(Dimension::x)) {
      phases.push_back(
          {{window_streams(first, image, x, y), filter_streams(conv.w, forward, x, y)}});
    }
  }
  return phases;
}

}  // namespace td::authors
