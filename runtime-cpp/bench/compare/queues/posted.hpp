#pragma once

#include <cstdint>

#include "harness/measure.hpp"
#include "penstock/exec/worker.hpp"
#include "queues/many_to_one.hpp"

namespace compare {

/// What one thread posts to a worker: jobs of a cache line, posted again once they were run.
class PostedJobs {
 public:
  /// Returns when all of them were run.
  void post(penstock::exec::Worker& to, std::uint64_t count) noexcept {
    for (std::uint64_t item = 0; item < count; ++item) {
      auto& message = nodes_.next(item);
      message.run = [](penstock::exec::Job& job) noexcept {
        keep(Nodes::read(static_cast<Nodes::Message&>(job)));
      };
      to.post(message);
    }
    nodes_.wait_until_read();
  }

 private:
  using Nodes = RecycledNodes<penstock::exec::Job>;
  Nodes nodes_;
};

}  // namespace compare
