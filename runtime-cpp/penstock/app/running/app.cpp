#include "penstock/app.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "penstock/app/model/model.hpp"
#include "penstock/app/process/command_line.hpp"
#include "penstock/app/process/crash_report.hpp"
#include "penstock/app/process/say.hpp"
#include "penstock/app/running/door.hpp"
#include "penstock/app/running/drain.hpp"
#include "penstock/app/running/running.hpp"
#include "penstock/base/defaults.hpp"
#include "penstock/control/server.hpp"
#include "penstock/control/token.hpp"
#include "penstock/edge/server.hpp"
#include "penstock/http/bearer.hpp"
#include "penstock/json/plain_writer.hpp"

namespace penstock {

namespace {

constexpr int kWrongUsage = 2;
constexpr int kSystemError = 71;            // EX_OSERR of sysexits.h
constexpr int kNotDrained = 75;             // EX_TEMPFAIL
constexpr int kUnusableConfiguration = 78;  // EX_CONFIG

using app::say;

sigset_t stop_signals() noexcept {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

// Until something runs that has to be drained, a stop ends the process at once, whatever a
// handler's constructor is doing.
void exit_on_signals() noexcept {
  struct sigaction leave {};
  leave.sa_handler = [](int /*signal*/) { _exit(0); };
  sigaction(SIGTERM, &leave, nullptr);
  sigaction(SIGINT, &leave, nullptr);
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

// From here on signals wait for the sigwait in serve(); no thread is ever interrupted by one.
void hold_signals() noexcept {
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

// Work in flight has so long after a stop. Throws std::invalid_argument.
Nanos drain_nanos() {
  constexpr std::int64_t kMostMs = 3'600'000;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): before the first thread
  const char* const wanted = std::getenv("PENSTOCK_DRAIN_MS");
  if (wanted == nullptr) return defaults::kDrainNanos;
  const std::string_view text = wanted;
  std::int64_t milliseconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), milliseconds);
  if (error != std::errc() || end != text.data() + text.size() || milliseconds < 1 ||
      milliseconds > kMostMs) {
    throw std::invalid_argument("PENSTOCK_DRAIN_MS=" + std::string(text) +
                                ": give milliseconds, 1 to " + std::to_string(kMostMs) +
                                ", or unset it");
  }
  return milliseconds * 1'000'000;
}

// A core of a binary with large pools fills a disk; PENSTOCK_CORE=1 asks for one.
void forbid_core_files() noexcept {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): before the first thread
  const char* const wanted = std::getenv("PENSTOCK_CORE");
  if (wanted != nullptr && wanted[0] == '1') return;
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

// A thread has a link to each process of each binary that it calls: as many as the system lets it
// have, and not the few that select() can look at.
void allow_files() noexcept {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

void print_ready(const std::string& binary, const std::string& control, const std::string& http) {
  json::PlainWriter line;
  line.open('{');
  line.field("event", "ready");
  line.field("binary", binary);
  line.field("pid", static_cast<int>(getpid()));
  line.field("control", control);
  line.field("http", json::none_if_empty(http));
  std::printf("%s\n", line.end().c_str());
  std::fflush(stdout);
}

// Starts every pool, the threads of all at once: what their handlers load is loaded at the same
// time. An empty text, or why not.
std::string start_pools(app::Model& model, bool relax_pins) {
  std::vector<std::string> warnings;
  const auto say_warnings = [&warnings] {
    for (const std::string& warning : warnings) say("warning: " + warning);
    warnings.clear();
  };
  for (const auto& pool : model.pools()) {
    std::string reason = pool->check_pins(relax_pins, warnings);
    say_warnings();
    if (!reason.empty()) return reason;
  }
  for (const auto& pool : model.pools()) pool->begin_start();
  for (const auto& pool : model.pools()) {
    pool->end_start(warnings);
    say_warnings();
  }
  model.joins().start();
  return {};
}

// The binary as its end sees it.
class Ending {
 public:
  Ending(app::Model& model, edge::Server* http) : model_(model), http_(http) {}

  [[nodiscard]] bool close(Nanos deadline) const {
    if (http_ != nullptr) http_->drain();
    return model_.peers().drain(deadline);
  }
  [[nodiscard]] const auto& sources() const noexcept { return model_.sources(); }
  [[nodiscard]] const auto& pools() const noexcept { return model_.pools(); }
  [[nodiscard]] bool quiet() const {
    return (http_ == nullptr || http_->asks_nobody()) && model_.quiet();
  }
  [[nodiscard]] bool alone() const { return model_.peers().alone(); }
  [[nodiscard]] Nanos goodbye() const noexcept {
    return http_ == nullptr ? 0 : 2 * defaults::kGoodbyeNanos;
  }

 private:
  app::Model& model_;
  edge::Server* http_;
};

// Lets everything in flight finish. False when something was still there at the end of its time.
bool drain(app::Model& model, edge::Server* http, Nanos patience) {
  const Ending ending(model, http);
  if (!app::drain(ending, patience)) return false;
  if (http != nullptr) http->stop(after(now_ns(), defaults::kGoodbyeNanos));
  return true;
}

// What did not finish in time, for the last line on stderr.
std::string given_up(const app::Model& model) {
  const std::string left = model.left();
  if (left.empty()) return "a source or a thread did not stop in time and was given up";
  return "not everything finished in time, and this was given up: " + left;
}

int serve(app::Model& model, const config::Address& place, control::Token token,
          std::optional<edge::ServerOptions> http, Nanos drain_patience) {
  const std::string& binary = model.options().binary;
  app::Running running(model);
  control::ServerOptions options;
  options.host = place.host;
  options.port = place.port;
  options.token = std::move(token.value);
  if (!token.from_environment) {
    say(binary +
        ": PENSTOCK_CONTROL_TOKEN is not set; the control address has a random token, so that only "
        "/healthz answers");
  }
  options.audit = &app::say_or_lose;
  control::Server server(running, std::move(options));
  try {
    server.start();
  } catch (const control::BindError& error) {
    say(binary + ": /control: " + error.what());
    return kUnusableConfiguration;
  }
  std::unique_ptr<edge::Server> door;
  if (http) {
    door = std::make_unique<edge::Server>(model.http_sources(), model.registry(), std::move(*http));
    try {
      door->start();
    } catch (const http::BindError& error) {
      say(binary + ": /http: " + error.what());
      return kUnusableConfiguration;
    }
  }
  try {
    model.peers().open();
  } catch (const std::exception& error) {
    say(binary + ": other binaries cannot reach it: " + error.what());
    if (door != nullptr) {
      // Requests that have come already are answered through it, by threads that still run.
      door->drain();
      const Nanos deadline = after(now_ns(), drain_patience);
      if (!app::wait_until(deadline, [&door] { return door->asks_nobody(); })) {
        std::_Exit(kUnusableConfiguration);
      }
    }
    return kUnusableConfiguration;
  }
  hold_signals();
  try {
    unsigned index = 0;
    for (const auto& source : model.sources()) source->start(index++);
  } catch (const std::exception& error) {
    say(binary + ": cannot start: " + error.what());
    std::fflush(nullptr);
    // What has come already is answered through what a return would destroy.
    std::_Exit(kSystemError);
  }
  running.set_bounds_as_drawn();
  running.adaptive().start(!running.rules().none());
  running.set_ready();
  print_ready(binary, server.address(), door != nullptr ? door->address() : "");

  const sigset_t signals = stop_signals();
  int signal = 0;
  while (sigwait(&signals, &signal) != 0) {
  }
  const Nanos deadline = after(now_ns(), drain_patience);
  running.set_draining();
  if (!running.adaptive().stop(deadline) ||
      !drain(model, door.get(), std::max<Nanos>(deadline - now_ns(), 0))) {
    say(binary + ": " + given_up(model));
    std::fflush(nullptr);
    // Threads that are stuck in a handler cannot be joined, nor a command that waits for one.
    std::_Exit(kNotDrained);
  }
  server.stop();
  return 0;
}

}  // namespace

FlowBuilder& FlowBuilder::add(app::StageBinding stage) {
  model_.add_stage(flow_, std::move(stage));
  return *this;
}

FlowBuilder& FlowBuilder::add(app::RemoteStageBinding stage) {
  model_.add_remote_stage(flow_, std::move(stage));
  return *this;
}

FlowBuilder& FlowBuilder::add(const app::CompositionBinding& composition) {
  model_.compose(flow_, composition);
  return *this;
}

FlowBuilder& FlowBuilder::after(std::initializer_list<const char*> stages) {
  model_.follow(flow_, {stages.begin(), stages.end()});
  return *this;
}

FlowBuilder& FlowBuilder::choose(flow::Choice choice) {
  model_.choose(flow_, std::move(choice));
  return *this;
}

App::App(AppOptions options) : model_(std::make_unique<app::Model>(std::move(options))) {}

App::~App() = default;

void App::add_service(const std::string& name, Kind kind, ServiceOptions options,
                      std::vector<app::HandlerBinding> handlers) {
  model_->add_service(name, kind, std::move(options), std::move(handlers));
}

void App::add_offered_stage(const std::string& service, const WireService& wire,
                            const net::RemoteType& type) {
  model_->add_offered_stage(service, wire, type);
}
void App::add_remote(const std::string& name, const app::RemoteBinding& remote) {
  model_->add_remote(name, remote);
}

void App::add_offer(const std::string& service, const WireService& wire,
                    const net::RemoteType& type) {
  model_->add_offer(service, wire, type);
}

void App::add_exposed(const std::string& service, const std::string& route,
                      const net::RemoteType& type) {
  model_->add_exposed(service, route, type);
}

void App::describe_exposed(std::string_view openapi) { model_->describe_exposed(openapi); }

void App::add_call(app::CallBinding call) { model_->add_call(std::move(call)); }

FlowBuilder App::add_flow(std::string name, app::SourceBinding source) {
  return {*model_, model_->add_flow(std::move(name), source)};
}

void App::add_inlet(app::InletBinding inlet) { model_->add_inlet(std::move(inlet)); }

int App::run(int argc, char** argv) {
  const AppOptions& options = model_->options();
  const app::CommandLine line =
      app::parse_command_line(argc, argv, options.binary, options.topology_hash, options.config);
  if (line.action == app::CommandLine::Action::print_and_exit) {
    std::fputs(line.text.c_str(), stdout);
    return 0;
  }
  if (line.action == app::CommandLine::Action::wrong) {
    std::fputs(line.text.c_str(), stderr);
    return kWrongUsage;
  }
  forbid_core_files();
  allow_files();
  app::report_crashes(options.binary);
  exit_on_signals();
  try {
    const Nanos drain_patience = drain_nanos();
    // Before any thread: they take the tokens out of the environment.
    control::Token token = control::token_from_environment();
    const std::string http_token = http::take_from_environment("PENSTOCK_HTTP_TOKEN");
    config::Config config = config::load(line.config, model_->source_reader());
    model_->configure(config, line.config);
    auto door = app::door_of(*model_, config, line.config, http_token);
    // In force now: a big binary has many.
    config.services = {};
    config.flows = {};
    config.rules = {};
    if (config.topology_hash != options.topology_hash) {
      say("warning: " + line.config + " was generated from another drawing than this binary");
    }
    if (const std::string reason = start_pools(*model_, line.relax_pins); !reason.empty()) {
      say(options.binary + ": " + reason + "\n" + line.config +
          ": draw other CPUs, or start with --relax-pins");
      return kUnusableConfiguration;
    }
    model_->watchdog().start();
    return serve(*model_, config.control, std::move(token), std::move(door), drain_patience);
  } catch (const config::ConfigError& error) {
    say(error.what());
    return kUnusableConfiguration;
  } catch (const std::invalid_argument& error) {
    say(options.binary + ": " + error.what());
    return kUnusableConfiguration;
  } catch (const app::StartError& error) {
    say(line.config + ": " + error.what());
    return kUnusableConfiguration;
  } catch (const std::exception& error) {
    // No thread, no memory, no random bytes: the system's fault, not the configuration's.
    say(options.binary + ": cannot start: " + error.what());
    return kSystemError;
  }
}

}  // namespace penstock
