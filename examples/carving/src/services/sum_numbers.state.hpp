#pragma once

#include <penstock/service.hpp>

#include "generator.hpp"

/// One a thread of the pool: none waits for another one's numbers.
template <>
struct penstock::State<carving::SumNumbers> {
  carving::Generator generator;
};
