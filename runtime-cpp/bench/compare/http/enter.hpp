#pragma once

#include <algorithm>
#include <string_view>

#include "harness/contender.hpp"
#include "harness/cpus.hpp"
#include "harness/measure.hpp"
#include "http/load.hpp"

namespace compare {

/// A `Server` on the second CPU, with all of its threads, asked from the first one.
template <class Server>
class Asked {
 public:
  explicit Asked(Form form) : server_(made()), load_(server_.port(), form) {}
  Load& load() { return load_; }

 private:
  static Server made() {
    pin(1);  // what it starts inherits that
    return Server();
  }
  struct Client {
    Client() { pin(0); }
  };
  Server server_;
  Client client_;
  Load load_;
};

template <class Server, Form form>
double calls() {
  Asked<Server> asked(form);
  return rate_of([&](std::uint64_t& count) { asked.load().ask(count); });
}

/// So many, for who counts what one takes.
template <class Server, Form form>
void ask(std::uint64_t count) {
  Asked<Server> asked(form);
  asked.load().ask(count);
}

/// Calls that take as long as the slowest but for (100 - percent) of a hundred, a second.
template <class Server, Form form, std::size_t percent>
double slowest() {
  Asked<Server> asked(form);
  Load::Times times;
  static_cast<void>(rate_of([&](std::uint64_t& count) {
    times.clear();  // the last batch is the measured one
    times.reserve(count + Load::kClients);
    asked.load().ask(count, &times);
  }));
  const auto at = times.begin() + static_cast<std::ptrdiff_t>(times.size() * percent / 100);
  std::nth_element(times.begin(), at, times.end());
  return 1e9 / static_cast<double>(*at);
}

/// Enters a server into all workloads of HTTP.
template <class Server>
struct EnterHttp {
  EnterHttp(std::string_view name, std::string_view what) {
    enter<Form::protobuf>({"http/protobuf", "http-p50/protobuf", "http-p99/protobuf"}, name, what);
    enter<Form::json>({"http/json", "http-p50/json", "http-p99/json"}, name, what);
  }

 private:
  template <Form form>
  static void enter(const std::array<std::string_view, 3>& workloads, std::string_view name,
                    std::string_view what) {
    contenders().push_back({workloads[0], name, what, &calls<Server, form>, &ask<Server, form>});
    contenders().push_back({workloads[1], name, what, &slowest<Server, form, 50>});
    contenders().push_back({workloads[2], name, what, &slowest<Server, form, 99>});
  }
};

}  // namespace compare
