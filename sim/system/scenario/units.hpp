// SPDX-License-Identifier: Apache-2.0
// Units of scenarios' and cases' keys, in bytes and seconds.
#pragma once

namespace td::job {

constexpr double kMegabyte = 1e6;
constexpr double kMebibyte = 1024.0 * 1024;
constexpr double kGibibyte = 1024 * kMebibyte;
constexpr double kHour = 3600;

}  // namespace td::job
