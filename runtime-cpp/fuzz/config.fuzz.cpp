// Any bytes are a configuration or are refused with a place and a remedy; nothing else happens.
#include "penstock/config/config.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "penstock/app/binding.hpp"
#include "penstock/app/model/read_source.hpp"
#include "penstock/config/object_reader.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

/// As a binary that was built for whatever the text says.
bool read_any_source(const std::string& flow, penstock::config::Source& source,
                     penstock::config::ObjectReader& object, penstock::config::Problems& problems) {
  using namespace penstock;
  const app::SourceBinding known[] = {
      app::bind_settings<int, flow::RateSource>("rate"),
      app::bind_settings<int, flow::HttpSource>("http"),
      app::bind_settings<int, flow::FileSource>("file"),
      app::bind_settings<int, flow::ServiceSource>("service"),
  };
  app::SourceRegistration built_for{known[0].kind, known[0].read};
  for (const app::SourceBinding& one : known) {
    if (source.kind == one.kind) built_for = {one.kind, one.read};
  }
  return app::read_sources([&](const std::string&) { return &built_for; })(flow, source, object,
                                                                           problems);
}

void check_accepted(const penstock::config::Config& config) {
  const auto is_pool = [&config](std::string_view name) {
    return name == penstock::config::kDefaultPool || config.find_pool(name) != nullptr;
  };
  require(config.topology_hash.size() == 71);
  require(config.sampling >= 0 && config.sampling <= 128);
  for (const auto& pool : config.pools) {
    require(config.find_pool(pool.name) == &pool);
    require(!pool.threads.empty() && pool.threads.size() <= 1024);
    require(pool.queue >= 1 && pool.queue <= 1048576);
    require(pool.priority >= -20 && pool.priority <= 19);
    for (const auto& thread : pool.threads) {
      for (const int cpu : thread.cpus) require(cpu >= 0 && cpu <= 1023);
    }
  }
  for (const auto& service : config.services) {
    require(is_pool(service.pool));
    std::int64_t sum = 0;
    for (const auto& [name, weight] : service.weights) sum += weight;
    require(service.weights.empty() || sum > 0);
    if (const auto* pool = config.find_pool(service.pool); pool != nullptr && service.thread) {
      require(*service.thread < pool->threads.size());
    }
  }
  for (const auto& flow : config.flows) {
    require(flow.source.settings != nullptr);
    for (const auto& join : flow.joins) {
      require(join.pool.empty() || is_pool(join.pool));
      require(join.threads <= 1024 && join.queue >= 1 && join.queue <= 1'048'576);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    check_accepted(penstock::config::parse(text, "fuzz.json", read_any_source));
  } catch (const penstock::config::ConfigError& error) {
    require(!error.problems().empty() && error.problems().size() <= 50);
    for (const auto& problem : error.problems()) {
      require(!problem.reason.empty() && !problem.remedy.empty());
      require(problem.pointer.empty() || problem.pointer.front() == '/');
    }
  }
  return 0;
}
