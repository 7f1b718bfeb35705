#pragma once

/// What generated message structs are made of. Standard library only; no function of it needs the
/// runtime to be running.

#include <penstock/json/error.hpp>
#include <penstock/message/boxed.hpp>
#include <penstock/message/buffer.hpp>
#include <penstock/message/failure.hpp>
