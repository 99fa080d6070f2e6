// SPDX-License-Identifier: Apache-2.0
// Debian ships Vega in parts, each of which asks for others by name: this gives them to each other.
"use strict";

const vegaParts = {};

// Called by each part once, in an order in which what it asks for is there. define.named: its name.
function define(needs, factory) {
  const own = {};
  factory(...needs.map((name) => {
    if (name === "exports") return own;
    return vegaParts[name === "vega-selections" ? "vega-selection" : name];
  }));
  vegaParts[define.named] = own;
}
define.amd = true;
define.named = "";
