#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace penstock::world {

/// What the `thread_local` variables of the program hold for one simulated thread while another one
/// runs. All threads share the one block of the operating system's thread, so what it holds is
/// exchanged at each switch; a pointer to such a variable is good on its own thread only.
class ThreadLocals {
 public:
  /// As a new thread finds them.
  ThreadLocals();
  ThreadLocals(const ThreadLocals&) = delete;
  ThreadLocals& operator=(const ThreadLocals&) = delete;
  ~ThreadLocals() = default;

  /// Of the thread that is left, and of the one that goes on.
  void save() noexcept;
  void restore() const noexcept;

  /// Their destructors, last made first. On the thread, at its end.
  void end() noexcept;
  void at_end(void (*destroy)(void*), void* object) { at_end_.push_back({destroy, object}); }

 private:
  struct Ending {
    void (*destroy)(void*);
    void* object;
  };
  // What the language keeps for each thread about the exceptions that it handles.
  struct Exceptions {
    void* caught = nullptr;
    unsigned uncaught = 0;
  };

  std::unique_ptr<std::byte[]> held_;
  Exceptions exceptions_;
  std::vector<Ending> at_end_;
};

}  // namespace penstock::world
