#pragma once

#include <functional>
#include <future>
#include <utility>

#include "penstock/http_client/io_thread.hpp"

namespace penstock::testing {

/// Runs on the I/O thread, until it has.
inline void on_io_thread(std::function<void()> what) {
  struct Asked : exec::Job {
    std::function<void()> what;
    std::promise<void> done;
  } asked;
  asked.what = std::move(what);
  asked.run = [](exec::Job& job) noexcept {
    auto& self = static_cast<Asked&>(job);
    self.what();
    self.done.set_value();
  };
  http_client::IoThread::of_process().post(asked);
  asked.done.get_future().wait();
}

}  // namespace penstock::testing
