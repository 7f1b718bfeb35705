#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "world/world.hpp"

namespace penstock::world {

/// Runs `body` in one world after another, each from its own seed, until one fails: by an
/// expectation of googletest, or by the world's own rules. A failure prints the seed and what
/// happened last.
///
/// PENSTOCK_WORLD_SEED=17 runs that one world; PENSTOCK_WORLD_SEEDS=100000 that many, and
/// PENSTOCK_WORLD_FROM=5 from there on. Those `kept` failed once, and are run before the others.
void explore(const std::vector<std::uint64_t>& kept, const std::function<void(World&)>& body);
inline void explore(const std::function<void(World&)>& body) { explore({}, body); }

/// The seeds that are asked for in this way; `otherwise` so many.
[[nodiscard]] std::vector<std::uint64_t> seeds(std::uint64_t otherwise);

}  // namespace penstock::world
