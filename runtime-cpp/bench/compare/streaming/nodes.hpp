#pragma once

#include <string_view>

#include "harness/contender.hpp"

/// One source streams numbers to 1, 4, 16 and 64 nodes over TCP, each node over a connection of its
/// own; a message is one number, and is handed over by itself. The source has the first CPU, all
/// nodes the second one, each a thread of its own. Ours have the idle behaviour of a pool that is
/// drawn without one: they look for a while, then sleep. A unit is a number that a node has counted,
/// whichever node that is.
namespace compare {

/// Enters `Stream<nodes>::rate()` for each number of nodes.
template <template <unsigned> class Stream>
struct EnterStream {
  EnterStream(std::string_view name, std::string_view what)
      : one({"streaming/1", name, what, Stream<1>::rate}),
        four({"streaming/4", name, what, Stream<4>::rate}),
        sixteen({"streaming/16", name, what, Stream<16>::rate}),
        sixty_four({"streaming/64", name, what, Stream<64>::rate}) {}
  Enter one;
  Enter four;
  Enter sixteen;
  Enter sixty_four;
};

}  // namespace compare
