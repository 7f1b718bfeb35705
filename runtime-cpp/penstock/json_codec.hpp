#pragma once

/// What generated messages_json.cpp is made of: JSON by proto3's rules, read and written without a
/// document in between. For generated code; handlers never need it.

#include <penstock/codec/json.hpp>
#include <penstock/codec/json_map.hpp>
#include <penstock/message.hpp>
