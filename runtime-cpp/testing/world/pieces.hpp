#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "penstock/exec/pool.hpp"
#include "world/explore.hpp"

/// Requests that note what becomes of them, for the worlds of pools alone.
namespace penstock::world {

struct Piece : exec::Request {
  std::atomic<int> ran{0};
  int refused = 0;
  static void on_run(exec::Job& job) noexcept {
    auto& piece = static_cast<Piece&>(job);
    exec::Pool::took_room(piece);
    ++piece.ran;
  }
  static void on_refused(exec::Request& request) noexcept {
    auto& piece = static_cast<Piece&>(request);
    exec::Pool::took_room(piece);
    ++piece.refused;
  }
  static constexpr Owner kOwner{&on_refused};
  Piece() {
    run = &on_run;
    owner = &kOwner;
  }
};

// As a binary drains: what is queued when its threads are to leave may be refused.
inline void wait_for_all(const std::deque<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    while (piece.ran == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

inline std::string start(exec::Pool& pool) {
  std::vector<std::string> warnings;
  return pool.start(true, warnings);
}

inline void submit(exec::Pool& pool, Piece& piece) {
  if (pool.submit(piece) == exec::Admission::refused) ++piece.refused;
}

inline exec::Overflow drawn_overflow(Random& random) {
  return random.one_of({exec::Overflow::block, exec::Overflow::block, exec::Overflow::reject,
                        exec::Overflow::shed_oldest});
}

// Until as many as there are have counted it down.
inline void wait_until_none(const std::atomic<std::uint32_t>& left) {
  for (std::uint32_t now = left; now != 0; now = left) left.wait(now);
}

// Comes back when all do.
struct Meets : Piece {
  std::atomic<std::uint32_t>* missing = nullptr;
  Meets() {
    run = [](exec::Job& job) noexcept {
      auto& self = static_cast<Meets&>(job);
      exec::Pool::took_room(self);
      if (self.missing->fetch_sub(1) == 1) self.missing->notify_all();
      wait_until_none(*self.missing);
      ++self.ran;
    };
  }
};

}  // namespace penstock::world
