#include "penstock/http_client/io_thread.hpp"

#include <pthread.h>

#include <boost/asio/executor_work_guard.hpp>
#include <csignal>
#include <thread>

namespace penstock::http_client {
namespace {

struct IoThread {
  IoThread() : work(context.get_executor()) {
    // Blocked before the thread exists, since it inherits the mask: signals are for the thread that
    // waits for them.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread thread([this] { context.run(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_setname_np(thread.native_handle(), "ps-http");
    thread.detach();
  }

  boost::asio::io_context context{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work;
};

}  // namespace

boost::asio::io_context& io_thread() {
  // Never destroyed: what a client's last request left behind may still use it at the very end.
  static auto& thread = *new IoThread;
  return thread.context;
}

}  // namespace penstock::http_client
