// SPDX-License-Identifier: Apache-2.0
// Random changes of JSON, for mutators of the formats that are made of it.
#pragma once

#include <nlohmann/json.hpp>
#include <random>

namespace td::verify {

/// A member or element of a value that has some.
nlohmann::json::iterator any_child(nlohmann::json& value, std::mt19937& random);

/// Changes one value somewhere inside, at random: another number, type, name; gone, or there twice.
void edit_value(nlohmann::json& value, std::mt19937& random);

}  // namespace td::verify
