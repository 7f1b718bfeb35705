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
  if (const auto* resize = std::get_if<ResizePool>(&call.command)) {
    if (find_named(schema.pools, resize->pool) == nullptr) return unknown_pool(resize->pool);
  } else if (const auto* pin = std::get_if<PinThread>(&call.command)) {
    const metrics::PoolName* pool = find_named(schema.pools, pin->pool);
    if (pool == nullptr) return unknown_pool(pin->pool);
    if (static_cast<std::size_t>(pin->thread) >= pool->threads.size()) {
      return refuse(
          "pool " + in_quotes(pool->name) + " has no thread " + std::to_string(pin->thread),
          problem::kNoSuchThread,
          "It has " + std::to_string(pool->threads.size()) + " threads; the first one is 0.");
    }
  } else if (const auto* set = std::get_if<SetJoin>(&call.command)) {
    if (!set->join.pool.empty() && find_named(schema.pools, set->join.pool) == nullptr) {
      return unknown_pool(set->join.pool);
    }
    return unknown_stage(set->flow, set->stage);
  } else if (const auto* removed = std::get_if<RemoveJoin>(&call.command)) {
    return unknown_stage(removed->flow, removed->stage);
  } else if (const auto* ask = std::get_if<AskService>(&call.command)) {
    if (find_named(schema.services, ask->asking.service) == nullptr) {
      return refuse("there is no service " + in_quotes(ask->asking.service),
                    problem::kNoSuchService,
                    "Services of this binary: " + names_of(schema.services) + ".");
    }
  } else if (const auto* source = std::get_if<SetSource>(&call.command)) {
    if (find_named(schema.flows, source->flow) == nullptr) return unknown_flow(source->flow);
  }
  return std::nullopt;
}

}  // namespace penstock::control
