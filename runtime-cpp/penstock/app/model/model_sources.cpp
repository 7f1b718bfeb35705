#include <algorithm>

#include "penstock/app/model/model.hpp"
#include "penstock/app/process/say.hpp"
#include "penstock/flow/source/http_source.hpp"
#include "penstock/flow/source/service_source.hpp"

namespace penstock::app {

void Model::add_inlet(InletBinding binding) {
  const bool known = std::any_of(pushers_.begin(), pushers_.end(), [&](const Pusher& pusher) {
    return pusher.flows_tag == binding.flows_tag;
  });
  if (!known)
    throw std::logic_error("no implementation of " + binding.service + " has these flows");
  inlets_.push_back(std::move(binding));
}

config::ReadSource Model::source_reader() const {
  return read_sources([this](const std::string& flow) -> const SourceRegistration* {
    for (std::size_t index = 0; index < flows_.size(); ++index) {
      if (flows_[index]->name() == flow) return &source_registrations_[index];
    }
    return nullptr;
  });
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
  if (settings.kind != kind) {
    throw StartError(at + "/source/kind: this binary was built for a " + kind + " source");
  }
  std::unique_ptr<flow::Source> source;
  try {
    source = binding.make(flow, {settings.settings.get(), binding.shared,
                                 [binary = options_.binary](const std::string& text) {
                                   say_or_lose(binary + ": " + text);
                                 }});
  } catch (const std::exception& error) {
    // By a class of the project's own.
    throw StartError(at + "/source: cannot be made: " + error.what());
  }
  if (auto* const http = dynamic_cast<flow::HttpSource*>(source.get())) open_door(*http, config);
  if (const std::string reason = source->prepare(); !reason.empty()) {
    throw StartError(at + "/source" + reason);
  }
  sources_.push_back(std::move(source));
}

void Model::open_door(flow::HttpSource& source, const config::Config& config) {
  const std::string at = "/flows/" + source.flow().name() + "/source";
  if (!config.http) {
    throw StartError(at + ": needs an address; give the configuration \"http\"");
  }
  for (const flow::HttpSource* const other : http_sources_) {
    if (other->settings().path != source.settings().path) continue;
    throw StartError(at + "/path: " + source.settings().path + " is served by " +
                     other->flow().name() + " already");
  }
  http_sources_.push_back(&source);
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
      pusher.implementation->give_extras().inlets.emplace_back(
          [set = inlet.set, flows_of = pusher.flows_of, found](void* object) {
            set(flows_of(object), found);
          });
    }
  }
}

}  // namespace penstock::app
