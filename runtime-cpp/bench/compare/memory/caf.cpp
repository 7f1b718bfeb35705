// What an idle actor of CAF takes that has answered before. C++17, as CAF's headers want.
#include <caf/all.hpp>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "harness/contender.hpp"
#include "memory/heap.hpp"

namespace compare {
namespace {

caf::behavior echo() {
  return {[](std::int64_t value) { return value; }};
}

double actors() {
  constexpr std::size_t kActors = 1U << 14U;
  caf::actor_system_config config;
  caf::actor_system system(config);
  const std::size_t before = heap_in_use();
  std::vector<caf::actor> all;
  all.reserve(kActors);
  for (std::size_t count = 0; count < kActors; ++count) all.push_back(system.spawn(echo));
  caf::scoped_actor self(system);
  for (const caf::actor& one : all) {
    self->request(one, caf::infinite, std::int64_t{1})
        .receive([](std::int64_t) {},
                 [](const caf::error&) { throw std::runtime_error("CAF failed"); });
  }
  const double figure = per_mebibyte(kActors, before);
  for (const caf::actor& one : all) caf::anon_send_exit(one, caf::exit_reason::kill);
  return figure;
}

const Enter kActors({"memory-per-service", "caf", "idle actors that have answered", actors});

}  // namespace
}  // namespace compare
