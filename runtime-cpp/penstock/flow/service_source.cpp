#include "penstock/flow/service_source.hpp"

namespace penstock::flow {

Event& ServiceSource::make_event(ServiceSource* source) {
  if (source == nullptr) throw Error(ErrorCode::unavailable, "this binary does not serve the flow");
  return source->flow().make_event();
}

}  // namespace penstock::flow
