// Any message is a command within its ranges or a refusal; what is answered is always JSON.
#include "penstock/control/rpc.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>
#include <variant>

#include "penstock/control/fake_host.hpp"

namespace {

using namespace penstock::control;

void require(bool holds) {
  if (!holds) std::abort();
}

struct InRange {
  void operator()(const ResizePool& c) const { require(c.threads >= 1 && c.threads <= 1024); }
  void operator()(const PinThread& c) const {
    require(c.thread >= 0 && c.thread <= 1023 && c.cpus.size() <= 1024);
    for (const int cpu : c.cpus) require(cpu >= 0 && cpu <= 1023);
  }
  void operator()(const SetSource& c) const { require(c.per_second >= 0 && c.per_second <= 1e9); }
  void operator()(const SetSampling& c) const { require(c.per128 >= 0 && c.per128 <= 128); }
  void operator()(const SetJoin& c) const {
    if (!c.join.pool.empty()) return;
    require(c.join.threads >= 0 && c.join.threads <= 1024);
    require(c.join.queue >= 1 && c.join.queue <= 1'048'576);
    require(c.join.overflow == "block" || c.join.overflow == "reject" ||
            c.join.overflow == "shed-oldest");
  }
  void operator()(const AskService& c) const {
    require(c.asking.deadline_ms >= 1 && c.asking.deadline_ms <= 60'000);
  }
  /// The rest has no number.
  template <class Other>
  void operator()(const Other& /*command*/) const {}
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fake::FakeHost host;
  const auto decoded = decode_rpc({reinterpret_cast<const char*>(data), size});
  if (const auto* failure = std::get_if<RpcFailure>(&decoded)) {
    require(!failure->message.empty());
    require(failure->is_request() == failure->id.has_value());
    require(nlohmann::json::accept(encode_failure(*failure)));
    return 0;
  }
  const auto& call = std::get<RpcCall>(decoded);
  std::visit(InRange{}, call.command);
  if (const auto unknown = check_names(call, host.schema())) {
    require(nlohmann::json::accept(encode_failure(*unknown)));
  } else if (!std::holds_alternative<Watch>(call.command)) {
    require(nlohmann::json::accept(perform(call, host).text));
  }
  return 0;
}
