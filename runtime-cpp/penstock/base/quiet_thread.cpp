#include "penstock/base/quiet_thread.hpp"

#include <pthread.h>

#include <csignal>
#include <utility>

namespace penstock {
namespace {

/// Blocks every signal for the calling thread as long as it lives.
class SignalBlock {
 public:
  SignalBlock() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalBlock(const SignalBlock&) = delete;
  SignalBlock& operator=(const SignalBlock&) = delete;
  ~SignalBlock() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

std::thread start_quiet_thread(const char* name, std::function<void()> body) {
  // Blocked before the thread exists, since it inherits the mask: no moment in which it could be
  // the one that takes a SIGTERM.
  const SignalBlock block;
  std::thread thread(std::move(body));
  pthread_setname_np(thread.native_handle(), name);
  return thread;
}

}  // namespace penstock
