#pragma once

#define PENSTOCK_VERSION_MAJOR 0
#define PENSTOCK_VERSION_MINOR 1
#define PENSTOCK_VERSION_PATCH 0

/// The runtime's version as text, for `--version` and the live schema.
#define PENSTOCK_VERSION_TEXT "0.1.0"

/// Generated code states the runtime it was generated for; another one is a compile error with a
/// remedy instead of a puzzle at link time. Before 1.0 the minor version has to be equal too.
#define PENSTOCK_VERSION_CHECK(major, minor)                                            \
  static_assert((major) == PENSTOCK_VERSION_MAJOR && (minor) == PENSTOCK_VERSION_MINOR, \
                "generated for another penstock runtime: run `penstock generate` again")
