#include "penstock/app/model/model.hpp"

namespace penstock::app {

void Model::add_exposed(const std::string& service, std::string route,
                        const net::RemoteType& type) {
  exposed_.push_back({service, std::move(route), &type, nullptr, &add_outside(service)});
}

// A worker that serves requests may not block: others would wait behind it. Best is one that runs
// what is asked.
void Model::place_exposed(const config::Config& config) {
  if (!exposed_.empty() && !config.http) {
    throw StartError("/expose: needs an address; give the configuration \"http\"");
  }
  for (Exposing& exposing : exposed_) {
    exec::Pool& own = *find_service(exposing.service).pool;
    exposing.pool = own.shared() || own.cached() ? &pool_of_links(config) : &own;
  }
}

edge::ExposedServices Model::exposed(const config::Config& config) const {
  edge::ExposedServices exposed{{}, config.expose.origins, openapi_};
  for (const Exposing& exposing : exposed_) {
    const AskBinding& json = *ask_binding(exposing.service);
    const net::RemoteType& type = *exposing.type;
    exposed.services.push_back(
        {config.expose.prefix + '/' + exposing.route,
         {type.read_request, json.make, type.answer_bytes, type.write_answer, json.append},
         exposing.site,
         exposing.pool});
  }
  return exposed;
}

}  // namespace penstock::app
