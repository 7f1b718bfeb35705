#pragma once

#include <cstdio>
#include <memory>
#include <penstock/service.hpp>

#include "shared/settings.hpp"

/// LogTransaction is single-threaded: one object and one file. MO_FLOW_LOG names it.
template <>
struct penstock::State<mo_flow::LogTransaction> {
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file{
      std::fopen(sample::setting("MO_FLOW_LOG", "transactions.log").c_str(), "we")};
};
