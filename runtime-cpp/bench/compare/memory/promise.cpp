// What a waiting call takes that is a node with a std::promise.
#include <cstdint>
#include <future>
#include <memory>
#include <vector>

#include "harness/contender.hpp"
#include "memory/heap.hpp"

namespace compare {
namespace {

struct Request {
  Request* next = nullptr;
  std::int64_t value = 0;
  std::promise<std::int64_t> promise;
};

double waiting_calls() {
  constexpr std::size_t kCalls = 1U << 14U;
  std::vector<std::unique_ptr<Request>> queue;
  std::vector<std::future<std::int64_t>> answers;
  queue.reserve(kCalls);
  answers.reserve(kCalls);
  const std::size_t before = heap_in_use();
  for (std::size_t call = 0; call < kCalls; ++call) {
    queue.push_back(std::make_unique<Request>());
    answers.push_back(queue.back()->promise.get_future());
  }
  return per_mebibyte(kCalls, before);
}

const Enter kCalls({"memory-per-call", "promise", "a node with a std::promise and its future",
                    waiting_calls});

}  // namespace
}  // namespace compare
