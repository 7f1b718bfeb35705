#pragma once

/// What generated messages.cpp is made of: protobuf's wire format, read with protozero and written
/// backwards in one pass. For generated code; handlers never need it.

#include <penstock/codec/failure.hpp>
#include <penstock/codec/map.hpp>
#include <penstock/codec/message.hpp>
#include <penstock/codec/read.hpp>
#include <penstock/codec/write.hpp>
#include <penstock/message.hpp>
