#include <algorithm>
#include <string>
#include <utility>

#include "penstock/control/problem_codes.hpp"
#include "penstock/control/rpc.hpp"
#include "penstock/control/rpc_params.hpp"

namespace penstock::control {
namespace {

const std::string& name_of(const metrics::StageName& stage) { return stage.id; }
template <class Named>
const std::string& name_of(const Named& item) {
  return item.name;
}

template <class Named>
std::string names_of(const std::vector<Named>& list) {
  std::string text;
  for (const Named& item : list) {
    if (!text.empty()) text += ", ";
    text += name_of(item);
    if (text.size() > 300) return text + " ...";
  }
  return text.empty() ? "none" : text;
}

template <class Named>
const Named* find_named(const std::vector<Named>& list, std::string_view name) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [name](const Named& item) { return item.name == name; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

std::optional<RpcFailure> check_names(const RpcCall& call, const metrics::Schema& schema) {
  const auto refuse = [&call](const std::string& message, const char* code, std::string help) {
    return RpcFailure{call.id, RpcCode::invalid_params, call.method + ": " + message, code,
                      std::move(help)};
  };
  const auto unknown_pool = [&](const std::string& pool) {
    return refuse("there is no pool " + in_quotes(pool), problem::kNoSuchPool,
                  "Pools of this binary: " + names_of(schema.pools) + ".");
  };
  const auto unknown_flow = [&](const std::string& flow) {
    return refuse("there is no flow " + in_quotes(flow), problem::kNoSuchFlow,
                  "Flows of this binary: " + names_of(schema.flows) + ".");
  };
  const auto unknown_stage = [&](const std::string& flow,
                                 const std::string& stage) -> std::optional<RpcFailure> {
    const metrics::FlowName* found = find_named(schema.flows, flow);
    if (found == nullptr) return unknown_flow(flow);
    for (const metrics::StageName& item : found->stages) {
      if (item.id == stage) return std::nullopt;
    }
    return refuse("the flow " + in_quotes(flow) + " has no stage " + in_quotes(stage),
                  problem::kNoSuchStage, "Stages of this flow: " + names_of(found->stages) + ".");
  };
  const auto unknown_in = [&](const auto& command) -> std::optional<RpcFailure> {
    if constexpr (requires { command.pool; }) {
      const metrics::PoolName* pool = find_named(schema.pools, command.pool);
      if (pool == nullptr) return unknown_pool(command.pool);
      if constexpr (requires { command.thread; }) {
        if (static_cast<std::size_t>(command.thread) >= pool->threads.size()) {
          return refuse(
              "pool " + in_quotes(pool->name) + " has no thread " + std::to_string(command.thread),
              problem::kNoSuchThread,
              "It has " + std::to_string(pool->threads.size()) + " threads; the first one is 0.");
        }
      }
    }
    if constexpr (requires { command.join.pool; }) {
      const std::string& pool = command.join.pool;
      if (!pool.empty() && find_named(schema.pools, pool) == nullptr) return unknown_pool(pool);
    }
    if constexpr (requires { command.stage; }) {
      return unknown_stage(command.flow, command.stage);
    } else if constexpr (requires { command.flow; }) {
      if (find_named(schema.flows, command.flow) == nullptr) return unknown_flow(command.flow);
    }
    if constexpr (requires { command.rule; }) {
      if (find_named(schema.rules, command.rule) == nullptr) {
        return refuse("there is no rule of " + in_quotes(command.rule), problem::kNoSuchRule,
                      "Rules of this binary: " + names_of(schema.rules) + ".");
      }
    }
    if constexpr (requires { command.asking.service; }) {
      const std::string& service = command.asking.service;
      // BUNDLE/SERVICE is what the binary's own code publishes, or not: whoever is asked knows.
      if (service.find('/') != std::string::npos) return std::nullopt;
      if (find_named(schema.services, service) == nullptr) {
        return refuse("there is no service " + in_quotes(service), problem::kNoSuchService,
                      "Services of this binary: " + names_of(schema.services) + ".");
      }
    }
    return std::nullopt;
  };
  return std::visit(unknown_in, call.command);
}

}  // namespace penstock::control
