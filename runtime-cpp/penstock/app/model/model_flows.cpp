// The stages of the flows: as drawn, and where they run at the start.
#include <algorithm>
#include <stdexcept>

#include "penstock/app/model/model.hpp"
#include "penstock/app/model/wait_cycles.hpp"

namespace penstock::app {

void Model::add_stage(std::size_t flow, StageBinding binding) {
  call::Service& service = find_service(binding.service);
  if (binding.run.size() != service.implementations.size()) {
    throw std::logic_error("stage " + binding.id + " does not name all handlers of " +
                           binding.service);
  }
  flows_[flow]->fit(binding.value_bytes);
  set_up(flows_[flow]->add_stage(), service, std::move(binding));
}

void Model::add_remote_stage(std::size_t flow, RemoteStageBinding remote) {
  call::Service& there = find_service(remote.stage.service);
  call::CallSite& site = stage_sites_.emplace_back();
  // No drawn name has a dot.
  const std::string name = flows_[flow]->name() + "." + remote.stage.id;
  // Its answers are others than those of calls: an outlet of its own to the same service.
  auto outlet = std::make_unique<call::Service>();
  outlet->name = there.name.str();
  outlet->stands_for = &there;
  site.callee = outlet.get();
  peers_.add_stage(*outlet, there, site, name, remote.answer_schema, *remote.asks);
  services_.push_back(std::move(outlet));
  auto service = std::make_unique<call::Service>();
  service->name = name;
  service->kind = Kind::async_remote;
  service->stands_for = &there;
  remote.wire.site = &site;
  service->implementations.add(*remote.type).give_extras().wiring.push_back(remote.wire);
  remote.stage.service = service->name.str();
  services_.push_back(std::move(service));
  const net::RowType* const rows = remote.rows;
  add_stage(flow, std::move(remote.stage));
  if (rows != nullptr) flows_[flow]->stages().back().afar = &row_stages_.emplace_back(*rows, site);
}

void Model::compose(std::size_t flow, const CompositionBinding& composition) {
  auto& known = flows_[flow]->stages();
  const auto found = std::find_if(known.begin(), known.end(), [&](const flow::Stage& stage) {
    return stage.id == composition.first;
  });
  const auto fits = [&](std::size_t at) {
    const std::size_t index = found->index + at;
    if (index >= known.size()) return false;
    const flow::Stage& stage = known[index];
    if (stage.run != std::vector{composition.runs[at]}) return false;
    return at == 0 || stage.after == std::vector{stage.index - 1};
  };
  for (std::size_t at = 0; at < composition.runs.size(); ++at) {
    if (found != known.end() && fits(at)) continue;
    throw std::logic_error("stages from " + composition.first + " on are not those composed");
  }
  found->composed = composition.composed;
}

void Model::follow(std::size_t flow, const std::vector<std::string>& stages) {
  auto& known = flows_[flow]->stages();
  flow::Stage& stage = known.back();
  stage.after.clear();
  for (const std::string& id : stages) {
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&id](const flow::Stage& before) { return before.id == id; });
    if (found == known.end() || &*found == &stage) {
      throw std::logic_error("stage " + stage.id + " follows " + id + ", which is not before it");
    }
    stage.after.push_back(found->index);
  }
}

void Model::choose(std::size_t flow, flow::Choice choice) {
  flows_[flow]->stages().back().when = std::move(choice);
}

void Model::place_flow(std::size_t index, const config::Config& config) {
  flow::Flow& flow = *flows_[index];
  const config::Flow* const drawn = config.find_flow(flow.name());
  if (flow.stages().empty()) throw std::logic_error("flow " + flow.name() + " has no stage");
  if (drawn != nullptr) {
    for (const config::Join& join : drawn->joins) place_join(flow, join, config);
  }
  check_places(flow, config);
  const auto places = places_of(flow);
  for (const flow::Stage& stage : flow.stages()) {
    if (stage.service->kind != Kind::sync_remote) continue;
    for (const Place& place : places[stage.index]) place.pool->expect_blocking();
  }
}

void Model::place_join(flow::Flow& flow, const config::Join& join, const config::Config& config) {
  const auto found =
      std::find_if(flow.stages().begin(), flow.stages().end(),
                   [&join](const flow::Stage& stage) { return stage.id == join.stage; });
  if (found == flow.stages().end()) {
    throw StartError("/flows/" + flow.name() + "/joins: no stage " + join.stage);
  }
  if (join.pool.empty()) {
    joins_->put(flow, *found, join);
  } else {
    flow.set_join(*found, &pool_named(join.pool, config));
  }
}

// Where a stage of another binary's flow runs here.
void Model::place_offered(const config::Join& join, const config::Config& config) {
  exec::Pool& pool = join.pool.empty() ? joins_->put_offered(join) : pool_named(join.pool, config);
  const call::Service* const service = peers_.place_stage(join.stage, pool);
  if (service == nullptr) {
    throw StartError("/joins/" + join.stage + ": no stage of another binary that runs here");
  }
  if (service->kind == Kind::sync_remote) pool.expect_blocking();
}

// What the drawing's checks refuse, too; but a file may come from elsewhere.
void Model::check_places(const flow::Flow& flow, const config::Config& config) const {
  // The built-in pool has as many threads as this machine has CPUs: one is no mistake of the
  // file's.
  const exec::Pool* built_in = nullptr;
  for (const auto& pool : pools_) {
    if (pool->name() == config::kDefaultPool && config.find_pool(pool->name()) == nullptr) {
      built_in = pool.get();
    }
  }
  if (const auto refusal = Joins::why_not(flow, nullptr, built_in)) {
    throw StartError("/flows/" + flow.name() + "/joins: " + refusal->code + ": " +
                     refusal->message + "; " + refusal->help);
  }
}

// Marks the services whose waits the watchdog has to know: once more when joins change.
void Model::list_waits() {
  // Who may block which pool's threads.
  std::vector<std::pair<const exec::Pool*, const call::Service*>> blockers;
  for (const auto& service : services_) {
    if (service->kind == Kind::sync_remote) blockers.emplace_back(service->pool, service.get());
  }
  for (const net::Offer& offer : peers_.offers()) {
    const call::Service& service = *offer.site.callee;
    if (offer.runs_on != nullptr && service.kind == Kind::sync_remote)
      blockers.emplace_back(offer.runs_on, &service);
  }
  for (const auto& flow : flows_) {
    const auto places = places_of(*flow);
    for (const flow::Stage& stage : flow->stages()) {
      if (stage.service->kind != Kind::sync_remote) continue;
      for (const Place& place : places[stage.index])
        blockers.emplace_back(place.pool, stage.service);
    }
  }
  std::vector<Dependency> dependencies;
  dependencies.reserve(calls_.size());
  for (const Call& call : calls_) {
    dependencies.emplace_back(services_[call.from].get(), services_[call.to].get());
  }
  for (const auto& [pool, blocker] : blockers) {
    for (const auto& service : services_) {
      // It needs a thread that the other one may keep asleep.
      if (service->pool == pool) dependencies.emplace_back(service.get(), blocker);
    }
  }
  for (const call::Service* const service : on_cycles(dependencies)) {
    services_[service_id(service)]->listed = true;
  }
}

}  // namespace penstock::app
