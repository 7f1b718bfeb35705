// iceoryx: requests and responses in memory that all processes share. Its daemon is a process of
// the contender's own, and ends with it. Both ends look for messages without ever sleeping.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <iceoryx_hoofs/log/logmanager.hpp>
#include <iceoryx_posh/internal/roudi/roudi.hpp>
#include <iceoryx_posh/popo/client.hpp>
#include <iceoryx_posh/popo/server.hpp>
#include <iceoryx_posh/roudi/iceoryx_roudi_components.hpp>
#include <iceoryx_posh/runtime/posh_runtime.hpp>
#include <stdexcept>
#include <thread>

#include "harness/contender.hpp"
#include "harness/cpus.hpp"
#include "harness/measure.hpp"

namespace compare {
namespace {

struct Message {
  std::array<char, 64> bytes{};
};

/// A process that keeps the memory.
class Daemon {
 public:
  Daemon() : process_(fork()) {
    if (process_ < 0) throw std::runtime_error("no process for iceoryx");
    if (process_ == 0) run();
  }
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;
  ~Daemon() {
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }

 private:
  [[noreturn]] static void run() {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // It says more than anybody asks for.
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, nullptr);
    {
      iox::roudi::IceOryxRouDiComponents parts(iox::RouDiConfig_t().setDefaults());
      const iox::roudi::RouDi daemon(
          parts.rouDiMemoryManager, parts.portManager,
          iox::roudi::RouDi::RoudiStartupParameters{iox::roudi::MonitoringMode::OFF, false});
      int which = 0;
      sigwait(&ends, &which);
    }
    _exit(0);
  }
  pid_t process_;
};

/// Keeps `window` requests under way.
template <unsigned window>
double rate() {
  iox::log::LogManager::GetLogManager().SetDefaultLogLevel(iox::log::LogLevel::kOff,
                                                           iox::log::LogLevelOutput::kHideLogLevel);
  static const Daemon daemon;  // longer than what is known of it here
  iox::runtime::PoshRuntime::initRuntime("penstock-bench");
  const iox::capro::ServiceDescription echo{"Bench", "Echo", "Messages"};
  std::atomic<bool> ends{false};
  std::thread there([&] {
    pin(1);
    iox::popo::Server<Message, Message> server(echo);
    while (!ends.load(std::memory_order_relaxed)) {
      server.take().and_then([&server](const auto& request) {
        server.loan(request).and_then([&request](auto& response) {
          *response = *request;
          static_cast<void>(response.send());
        });
      });
    }
  });
  pin(0);
  double rate = 0;
  {
    iox::popo::Client<Message, Message> client(echo);
    while (client.getConnectionState() != iox::ConnectionState::CONNECTED) {
    }
    const auto ask = [&client] {
      client.loan()
          .and_then([](auto& request) { static_cast<void>(request.send()); })
          .or_else([](auto&) { throw std::runtime_error("iceoryx takes no more requests"); });
    };
    rate = rate_of([&](std::uint64_t& count) {
      for (unsigned first = 0; first < window; ++first) ask();
      std::uint64_t sent = window;
      std::uint64_t done = 0;
      while (done < sent) {
        const auto response = client.take();
        if (response.has_error()) continue;
        keep(response.value()->bytes);
        ++done;
        if (sent >= count) continue;
        ask();
        ++sent;
      }
      count = sent;
    });
  }
  ends = true;
  there.join();
  return rate;
}

const Enter kOne({"remote-call/shm/spin", "iceoryx", "requests and responses of iceoryx, polled",
                  &rate<1>});
// It has room for as many responses.
const Enter kMost({"remote-call/shm-64", "iceoryx", "the same, 16 under way: more it does not take",
                   &rate<iox::MAX_RESPONSE_QUEUE_CAPACITY>});

}  // namespace
}  // namespace compare
