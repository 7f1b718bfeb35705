#pragma once

/// Public: ErrorCode, Error, throw_unimplemented.
#include "penstock/base/error.hpp"
