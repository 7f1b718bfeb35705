// The least that a child coroutine costs: its frame from a list of free ones, or from malloc as it
// comes.
#include <array>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <utility>

#include "harness/contender.hpp"
#include "harness/cpus.hpp"
#include "harness/measure.hpp"

namespace compare {
namespace {

struct FreeList {
  static inline void* head = nullptr;
  static void* take(std::size_t /*bytes*/) {
    if (head == nullptr) return ::operator new(256);
    void* const block = head;
    head = *static_cast<void**>(block);
    return block;
  }
  static void give(void* block) {
    *static_cast<void**>(block) = head;
    head = block;
  }
};
struct Malloc {
  static void* take(std::size_t bytes) { return ::operator new(bytes); }
  static void give(void* block) { ::operator delete(block); }
};

/// Starts when awaited, goes on in whoever awaits it.
template <class Memory>
class Child {
 public:
  struct promise_type {
    std::coroutine_handle<> parent = std::noop_coroutine();
    std::int64_t value = 0;

    static void* operator new(std::size_t bytes) { return Memory::take(bytes); }
    static void operator delete(void* block) noexcept { Memory::give(block); }

    Child get_return_object() { return Child(Handle::from_promise(*this)); }
    static std::suspend_always initial_suspend() noexcept { return {}; }
    struct Final {
      static bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(
          std::coroutine_handle<promise_type> done) const noexcept {
        return done.promise().parent;
      }
      static void await_resume() noexcept {}
    };
    static Final final_suspend() noexcept { return {}; }
    void return_value(std::int64_t result) noexcept { value = result; }
    static void unhandled_exception() noexcept { std::terminate(); }
  };
  using Handle = std::coroutine_handle<promise_type>;

  explicit Child(Handle handle) noexcept : handle_(handle) {}
  Child(Child&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  Child& operator=(Child&&) = delete;
  ~Child() {
    if (handle_) handle_.destroy();
  }

  [[nodiscard]] static bool await_ready() noexcept { return false; }
  [[nodiscard]] Handle await_suspend(std::coroutine_handle<> parent) const noexcept {
    handle_.promise().parent = parent;
    return handle_;
  }
  [[nodiscard]] std::int64_t await_resume() const noexcept { return handle_.promise().value; }

  void run() const { handle_.resume(); }

 private:
  Handle handle_;
};

template <class Memory>
[[gnu::noinline]] Child<Memory> child(std::int64_t value) {
  co_return value + 1;
}

template <class Memory>
Child<Memory> parent(std::int64_t count) {
  std::int64_t value = 0;
  while (value < count) value = co_await child<Memory>(value);
  co_return value;
}

template <class Memory>
double children() {
  pin(0);
  return rate_of([](std::uint64_t count) {
    const Child<Memory> all = parent<Memory>(static_cast<std::int64_t>(count));
    all.run();
    keep(all.await_resume());
  });
}

const Enter kFree({"coroutine-child", "limit-free-list", "a bare coroutine, frames from a list",
                   children<FreeList>});
const Enter kMalloc({"coroutine-child", "plain-malloc", "a bare coroutine, frames from malloc",
                     children<Malloc>});

}  // namespace
}  // namespace compare
