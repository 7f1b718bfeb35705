#pragma once

#include <string>

#include "penstock/app/model/model.hpp"
#include "penstock/control/host.hpp"

namespace penstock::app {

/// Asks a service once, as a caller from outside: counted and timed as any other call, by placement
/// and weight, with the service's own deadline where that is earlier. Blocks until the answer is
/// there; on a thread that is no worker. After Model::configure().
[[nodiscard]] control::Outcome<control::Asked> ask(Model& model, const control::Asking& asking);

}  // namespace penstock::app
