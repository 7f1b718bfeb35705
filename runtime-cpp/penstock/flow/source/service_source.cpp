#include "penstock/flow/source/service_source.hpp"

namespace penstock::flow {

Flow& ServiceSource::flow_of(ServiceSource* source) {
  if (source == nullptr) throw Error(ErrorCode::unavailable, "this binary does not serve the flow");
  return source->flow();
}

}  // namespace penstock::flow
