#pragma once

/// Public: what a source that a project brings is made of (`sources/<kind>/source.hpp`).

#include "penstock/error.hpp"
#include "penstock/flow/source/own_source.hpp"
#include "penstock/flow/source/source_reader.hpp"
