#include "penstock/app/model/model.hpp"

#include <algorithm>
#include <stdexcept>

#include "penstock/app/model/wait_cycles.hpp"
#include "penstock/app/process/crash_report.hpp"
#include "penstock/app/process/say.hpp"
#include "penstock/exec/affinity.hpp"

namespace penstock::app {

namespace {

exec::PoolSettings settings_of(const std::string& name, const config::Config& config) {
  exec::PoolSettings settings;
  settings.name = name;
  const config::Pool* const pool = config.find_pool(name);
  if (pool == nullptr) {
    // The built-in pool: a thread for each CPU that the process may keep busy.
    settings.threads.resize(exec::usable_cpus());
    return settings;
  }
  for (const config::Thread& thread : pool->threads) settings.threads.push_back(thread.cpus);
  settings.idle = pool->idle == config::Idle::spin   ? exec::Idle::spin
                  : pool->idle == config::Idle::park ? exec::Idle::park
                                                     : exec::Idle::adaptive;
  settings.overflow = pool->overflow == config::Overflow::block    ? exec::Overflow::block
                      : pool->overflow == config::Overflow::reject ? exec::Overflow::reject
                                                                   : exec::Overflow::shed_oldest;
  settings.priority = pool->priority;
  settings.queue = pool->queue;
  return settings;
}

template <class List, class Item>
std::uint32_t position(const List& list, const Item* item) {
  const std::size_t size = list.size();
  for (std::size_t index = 0; index < size; ++index) {
    if (list[index].get() == item) return static_cast<std::uint32_t>(index);
  }
  throw StartError("not part of this binary");
}

}  // namespace

void Model::add_service(const std::string& name, Kind kind, ServiceOptions options,
                        std::vector<HandlerBinding> handlers) {
  auto service = std::make_unique<call::Service>();
  service->name = name;
  service->kind = kind;
  service->deadline_ns = options.deadline_ms * 1'000'000;
  for (std::size_t index = 0; index < handlers.size(); ++index) {
    const HandlerBinding& handler = handlers[index];
    call::Implementation& implementation = service->implementations.add(*handler.type);
    if (handler.flows_tag != nullptr) {
      pushers_.push_back({&implementation, handler.flows_tag, handler.flows_of});
    }
    if (index < options.implementations.size()) {
      implementation.give_extras().name = options.implementations[index];
    }
    if (handler.make_shared != nullptr) {
      shared_.push_back(handler.make_shared());
      implementation.give_extras().shared = shared_.back().get();
    }
  }
  services_.push_back(std::move(service));
  asks_.resize(services_.size());
  // All implementations of a service take and give the same.
  if (!handlers.empty()) asks_.back() = handlers.front().ask;
}

void Model::add_remote(const std::string& name, const RemoteBinding& remote) {
  auto service = std::make_unique<call::Service>();
  service->name = name;
  peers_.add_remote(*service, remote);
  services_.push_back(std::move(service));
}

void Model::add_offer(const std::string& service, const WireService& wire,
                      const net::RemoteType& type) {
  peers_.add_offer(find_service(service), wire, type);
}

void Model::add_offered_stage(const std::string& service, const WireService& wire,
                              const net::RemoteType& type) {
  peers_.add_offered_stage(find_service(service), wire, type);
}

void Model::add_call(CallBinding binding) {
  call::Service& from = find_service(binding.from);
  call::Service& to = find_service(binding.to);
  const auto known = std::find_if(calls_.begin(), calls_.end(), [&](const Call& drawn) {
    return services_[drawn.from].get() == &from && drawn.site.callee == &to;
  });
  const bool fresh = known == calls_.end();
  Call& call = fresh ? calls_.emplace_back() : *known;
  if (fresh) {
    call.from = service_id(&from);
    call.to = service_id(&to);
    call.site.callee = &to;
  }
  for (call::Implementation* const implementation : from.implementations) {
    if (implementation->type.calls_tag != binding.calls_tag) continue;
    binding.wire.site = &call.site;
    implementation->give_extras().wiring.push_back(binding.wire);
    return;
  }
  throw std::logic_error("no implementation of " + binding.from + " has these calls");
}

std::size_t Model::add_flow(std::string name, SourceBinding source) {
  flows_.push_back(std::make_unique<flow::Flow>(std::move(name)));
  flows_.back()->fit(source.value_bytes);
  if (source.make_shared != nullptr) shared_.push_back(source.make_shared());
  source.shared = source.make_shared != nullptr ? shared_.back().get() : nullptr;
  source_bindings_.push_back(source);
  source_registrations_.push_back({source.kind, source.read});
  return flows_.size() - 1;
}

call::Service& Model::find_service(const std::string& name) const {
  for (const auto& service : services_) {
    if (service->name == name) return *service;
  }
  throw std::logic_error("no service " + name + " is registered");
}

std::uint32_t Model::pool_id(const exec::Pool* pool) const { return position(pools_, pool); }
std::uint32_t Model::service_id(const call::Service* service) const {
  return position(services_, service);
}

// Pools come into being when something is placed on them, in the order of the configuration first.
exec::Pool& Model::pool_named(const std::string& name, const config::Config& config) {
  for (const auto& pool : pools_) {
    if (pool->name() == name) return *pool;
  }
  return pools_.add(std::make_unique<exec::Pool>(settings_of(name, config)));
}

void Model::place(call::Service& service, const config::Config& config) {
  // It runs where its stage does; no pool is made for it.
  if (service.stands_for != nullptr && pools_.size() != 0) {
    service.pool = pools_[0].get();
    return;
  }
  const config::Service* const placed = config.find_service(service.name);
  service.pool =
      &pool_named(placed != nullptr ? placed->pool : std::string(config::kDefaultPool), config);
  if (service.kind == Kind::sync_remote) {
    service.pool->expect_blocking();
  }
  if (placed != nullptr) {
    if (placed->deadline_ms) service.deadline_ns = Nanos{*placed->deadline_ms} * 1'000'000;
    if (placed->thread) {
      const std::size_t threads = service.pool->settings().threads.size();
      if (*placed->thread >= threads) {
        throw StartError("/services/" + service.name + "/thread: pool " + service.pool->name() +
                         " has " + std::to_string(threads) + " threads, none with index " +
                         std::to_string(*placed->thread));
      }
      service.thread = static_cast<int>(*placed->thread);
      service.pool->keep_thread(*placed->thread);
    }
    if (!placed->weights.empty()) {
      std::vector<std::int32_t> shares(service.implementations.size(), 0);
      for (const auto& [name, share] : placed->weights) {
        const auto found = std::find_if(
            service.implementations.begin(), service.implementations.end(),
            [&name = name](const auto& implementation) { return implementation->name() == name; });
        if (found == service.implementations.end()) {
          throw StartError("/services/" + service.name + "/weights: " + service.name +
                           " has no implementation " + name);
        }
        shares[(*found)->index] = share;
      }
      service.implementations.set_shares(shares);
    }
  }
  for (const call::Partition& partition : service.partitions.all()) {
    service.pool->add_strand(partition);
  }
}

// Handler objects go while all that they may still ask is there, and refuses it.
Model::~Model() {
  for (const auto& source : sources_) static_cast<void>(source->stop(0));
  joins_.reset();
  for (const auto& pool : pools_) {
    while (!pool->stop(after(now_ns(), defaults::kDrainNanos))) continue;
  }
  for (const auto& service : services_) {
    for (call::Implementation* const implementation : service->implementations)
      implementation->end_objects();
  }
}

void Model::configure(const config::Config& config, const std::string& file) {
  if (config.binary != options_.binary) {
    throw StartError("/binary: this is " + options_.binary + ", the file is for " + config.binary);
  }
  for (const config::Service& service : config.services) {
    const bool known = std::any_of(services_.begin(), services_.end(),
                                   [&](const auto& ours) { return ours->name == service.name; });
    if (!known) throw StartError("/services/" + service.name + ": this binary has no such service");
  }
  for (const config::Flow& flow : config.flows) {
    const bool known = std::any_of(flows_.begin(), flows_.end(),
                                   [&](const auto& ours) { return ours->name() == flow.name; });
    if (!known) throw StartError("/flows/" + flow.name + ": this binary has no such flow");
  }
  std::uint32_t slots = 0;
  for (const auto& service : services_) {
    call::enroll(*service, registry_, slots);
    for (call::Implementation* const part : service->implementations) {
      if (part->extras != nullptr) part->extras->wiring.shrink_to_fit();
    }
  }
  services_.shrink_to_fit();
  asks_.shrink_to_fit();
  joins_ = std::make_unique<Joins>(
      pools_, Joins::Hooks{.prepare = [this](exec::Pool& pool) { hook(pool); },
                           .changed =
                               [this] {
                                 list_waits();
                                 join_changes_.fetch_add(1, std::memory_order_relaxed);
                               }});
  for (const config::Pool& pool : config.pools) {
    exec::Pool& made = pool_named(pool.name, config);
    if (pool.up_to) {
      adaptive_.push_back({&made, {static_cast<unsigned>(pool.threads.size()), *pool.up_to}});
    }
  }
  for (const auto& service : services_) {
    if (!service->is_remote()) place(*service, config);
  }
  for (std::size_t index = 0; index < flows_.size(); ++index) {
    place_flow(index, config);
    make_source(index, config);
  }
  for (const config::Join& join : config.joins) place_offered(join, config);
  if (!peers_.none()) {
    exec::Pool& pool = pool_of_links(config);
    for (const auto& service : services_) {
      if (service->is_remote()) service->pool = &pool;
    }
    try {
      peers_.configure(config, file, pool, registry_, slots);
    } catch (const Error& error) {
      throw StartError(error.message());
    }
  }
  place_exposed(config);
  rules_ = config.rules;
  for (std::size_t index = 0; index < rules_.size(); ++index) check_rule(rules_[index], index);
  wire_inlets();
  for (Call& call : calls_) {
    call::enroll(call.site, registry_);
  }
  for (call::CallSite& site : outside_sites_) call::enroll(site, registry_);
  asked_.count = registry_.add_sampled_counter();
  asked_.errors = registry_.add_rare_counters();
  for (call::CallSite& site : stage_sites_) call::enroll(site, registry_);
  for (const auto& flow : flows_) flow->enroll(registry_, slots);
  registry_.set_sampling(config.sampling);
  registry_.start();
  watchdog_ = std::make_unique<call::Watchdog>(
      call::Watchdog::Settings{.limit = Nanos{config.watchdog_ms} * 1'000'000,
                               .say = [binary = options_.binary](const std::string& text) {
                                 say_or_lose(binary + ": " + text);
                               }});
  list_waits();
  for (const auto& pool : pools_) hook(*pool);
  // Each stage may get a join with a pool of its own while the binary runs.
  std::size_t stages = 0;
  for (const auto& flow : flows_) stages += flow->stages().size();
  pools_.reserve(pools_.size() + stages);
}

// A worker that owns links may not block: nobody at their other ends would hear of it. Best is one
// that runs what is called there.
exec::Pool& Model::pool_of_links(const config::Config& config) {
  for (const net::Offer& offer : peers_.offers()) {
    if (!offer.pool().shared() && !offer.pool().cached()) return offer.pool();
  }
  for (const auto& pool : pools_) {
    if (!pool->shared()) return *pool;
  }
  if (exec::Pool& pool = pool_named(std::string(config::kDefaultPool), config); !pool.shared())
    return pool;
  // No drawn name has a dot.
  exec::PoolSettings settings;
  settings.name = options_.binary + ".links";
  settings.threads.resize(1);
  return pools_.add(std::make_unique<exec::Pool>(std::move(settings)));
}

// What a rule watches and changes is there. Pools that nothing is placed on are made as well: their
// sizes are a part of the configuration.
void Model::check_rule(const config::Rule& rule, std::size_t index) const {
  const std::string place = "/rules/" + std::to_string(index);
  const auto is_there = [](const auto& list, const auto& is) {
    return std::any_of(list.begin(), list.end(), is);
  };
  const bool watched =
      is_there(services_, [&rule](const auto& one) { return one->name == rule.of; }) ||
      is_there(flows_, [&rule](const auto& one) { return one->name() == rule.of; });
  if (!watched) throw StartError(place + "/of: this binary has no flow or service " + rule.of);
  for (const auto& [key, side] :
       {std::pair("below", &rule.below), std::pair("above", &rule.above)}) {
    for (const config::Preset::Slot& slot : side->preset.slots) {
      const auto has_stage = [&slot](const auto& flow) {
        const auto is = [&slot](const flow::Stage& stage) { return stage.id == slot.stage; };
        return flow->name() == slot.flow &&
               std::any_of(flow->stages().begin(), flow->stages().end(), is);
      };
      if (is_there(flows_, has_stage)) continue;
      throw StartError(place + "/" + key + "/joins: this binary has no stage " + slot.flow + "/" +
                       slot.stage);
    }
  }
}

// A worker has its own counters, and the handler objects of what is placed there before its first
// request: a constructor that loads a model is not paid for by a caller.
void Model::hook(exec::Pool& pool) {
  std::vector<const call::Service*> placed;
  for (const auto& service : services_) {
    if (service->pool == &pool) placed.push_back(service.get());
  }
  for (const auto& flow : flows_) {
    for (const flow::Stage& stage : flow->stages()) {
      if (stage.service->pool != &pool && pool.name() == flow->name() + "." + stage.id) {
        placed.push_back(stage.service);
      }
    }
  }
  for (const net::Offer& offer : peers_.offers()) {
    if (offer.runs_on == &pool && offer.site.callee->pool != &pool)
      placed.push_back(offer.site.callee);
  }
  pool.set_hooks({.started =
                      [this, placed](exec::Worker& worker) {
                        take_crash_stack();
                        registry_.enter();
                        watchdog_->enter(worker);
                        for (const call::Service* const service : placed) {
                          const bool at_home = &worker.pool() == service->pool;
                          if (service->thread >= 0 && at_home &&
                              worker.index() != static_cast<unsigned>(service->thread)) {
                            continue;
                          }
                          // One for all of them: made where its calls run.
                          if (service->partitions.exist() && !at_home) continue;
                          call::make_handlers(*service, worker);
                        }
                      },
                  .stopping =
                      [this](exec::Worker& /*worker*/) {
                        watchdog_->leave();
                        registry_.leave();
                        give_back_crash_stack();
                      }});
}

const call::CallSite& Model::add_outside(const std::string& service) {
  call::CallSite& site = outside_sites_.emplace_back();
  site.callee = &find_service(service);
  return site;
}

const AskBinding* Model::ask_binding(const std::string& service) const {
  for (std::size_t index = 0; index < asks_.size(); ++index) {
    if (asks_[index] != nullptr && services_[index]->name == service) return asks_[index];
  }
  return nullptr;
}

const call::CallSite& Model::ask_site(const std::string& service) {
  call::Service& callee = find_service(service);
  const std::lock_guard hold(asked_.mutex);
  for (const call::CallSite& known : asked_.sites) {
    if (known.callee == &callee) return known;
  }
  call::CallSite& site = asked_.sites.emplace_back();
  site.callee = &callee;
  site.count = asked_.count;
  site.errors = asked_.errors;
  return site;
}

namespace {

// In this turn (is_quiet).
Tally tally_of(const call::Service& service) {
  Tally tally;
  tally.ended = service.done_count();
  tally.came = service.sent_count();
  return tally;
}

}  // namespace

Tally Model::tally() const {
  Tally tally;
  const net::Names* const names = peers_.names();
  tally.ended = count_ended(services_, flows_, registry_);
  if (names != nullptr) tally.ended += names->board->ended() + names->resolved.ended();
  tally.came = count_came(services_, flows_, registry_);
  if (names != nullptr) tally.came += names->board->came() + names->resolved.came();
  return tally;
}

bool Model::quiet() const {
  const auto busy = [this] {
    return std::any_of(pools_.begin(), pools_.end(),
                       [](const auto& pool) { return pool->busy() != 0; });
  };
  return is_quiet([this] { return tally(); }, busy);
}

std::string Model::left() const {
  std::string text;
  const auto add = [&text](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  for (const auto& service : services_) {
    const Tally tally = tally_of(*service);
    if (!tally.nothing_left())
      add(service->name.str() + " " + std::to_string(tally.came - tally.ended));
  }
  for (const auto& pool : pools_) {
    for (unsigned index = 0; index < pool->size(); ++index) {
      if (pool->worker(index).busy()) {
        add("thread " + exec::thread_name(pool->name(), index) + " at work");
      }
    }
  }
  return text;
}

}  // namespace penstock::app
