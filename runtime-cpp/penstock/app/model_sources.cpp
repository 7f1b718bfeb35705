#include <algorithm>

#include "penstock/app/model.hpp"
#include "penstock/app/say.hpp"
#include "penstock/flow/file_source.hpp"
#include "penstock/flow/rate_source.hpp"
#include "penstock/flow/service_source.hpp"

namespace penstock::app {

void Model::add_inlet(InletBinding binding) {
  const bool known = std::any_of(pushers_.begin(), pushers_.end(), [&](const Pusher& pusher) {
    return pusher.flows_tag == binding.flows_tag;
  });
  if (!known)
    throw std::logic_error("no implementation of " + binding.service + " has these flows");
  inlets_.push_back(std::move(binding));
}

// The source of a flow, with what the configuration says of it.
void Model::make_source(std::size_t index, const config::Config& config) {
  flow::Flow& flow = *flows_[index];
  const SourceBinding& binding = source_bindings_[index];
  const std::string kind = binding.kind;
  const config::Flow* const drawn = config.find_flow(flow.name());
  const std::string at = "/flows/" + flow.name();
  if (drawn == nullptr && kind != "rate") throw StartError(at + ": is missing; generate it again");
  const config::Source settings = drawn != nullptr ? drawn->source : config::Source{};
  if (config::to_string(settings.kind) != kind) {
    throw StartError(at + "/source/kind: this binary was built for a " + kind + " source");
  }
  switch (settings.kind) {
    case config::SourceKind::rate: {
      auto source =
          std::make_unique<flow::RateSource>(flow, binding.type, settings.per_second.value_or(0));
      if (binding.set_shared != nullptr) source->add_wiring(binding.set_shared, binding.shared);
      sources_.push_back(std::move(source));
      break;
    }
    case config::SourceKind::http: {
      if (!config.http) {
        throw StartError(at + "/source: needs an address; give the configuration \"http\"");
      }
      for (const flow::HttpSource* const other : http_sources_) {
        if (other->settings().path != settings.path) continue;
        throw StartError(at + "/source/path: " + settings.path + " is served by " +
                         other->flow().name() + " already");
      }
      auto source = std::make_unique<flow::HttpSource>(
          flow, flow::HttpSource::Settings{binding.read, settings.path, settings.accepted,
                                           settings.timeout_ms, settings.max_bytes});
      http_sources_.push_back(source.get());
      sources_.push_back(std::move(source));
      break;
    }
    case config::SourceKind::file: {
      auto source = std::make_unique<flow::FileSource>(
          flow,
          flow::FileSource::Settings{binding.read, settings.path, settings.loop,
                                     settings.per_second.value_or(flow::PacedSource::kNoLimit),
                                     [binary = options_.binary](const std::string& text) {
                                       say_or_lose(binary + ": " + text);
                                     }});
      if (const std::string reason = source->open(); !reason.empty()) {
        throw StartError(at + "/source/path: " + settings.path + " " + reason +
                         "; it is looked for from the folder the binary is started in");
      }
      sources_.push_back(std::move(source));
      break;
    }
    case config::SourceKind::service:
      sources_.push_back(std::make_unique<flow::ServiceSource>(flow));
      break;
  }
}

// Into every handler that may push, before the first one is made.
void Model::wire_inlets() {
  for (const InletBinding& inlet : inlets_) {
    flow::ServiceSource* found = nullptr;
    for (const auto& source : sources_) {
      if (source->flow().name() == inlet.flow) {
        found = dynamic_cast<flow::ServiceSource*>(source.get());
      }
    }
    if (found == nullptr) throw std::logic_error("no service source feeds " + inlet.flow);
    for (const Pusher& pusher : pushers_) {
      if (pusher.flows_tag != inlet.flows_tag) continue;
      auto& inlets = pusher.implementation->inlets;
      if (inlets == nullptr) inlets = std::make_unique<std::decay_t<decltype(*inlets)>>();
      inlets->emplace_back([set = inlet.set, flows_of = pusher.flows_of, found](void* object) {
        set(flows_of(object), found);
      });
    }
  }
}

}  // namespace penstock::app
