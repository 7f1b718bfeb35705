# What ccache is asked for has no name in it of the folder that the project or the runtime lies in: the runtime is reached
# by a link below the project, and what lies below the project is named from there. A toolchain by itself
# (CMAKE_TOOLCHAIN_FILE), where projects are to be compiled as users compile them.
string(APPEND CMAKE_CXX_FLAGS_INIT " -fno-canonical-system-headers")
if(CMAKE_PREFIX_PATH AND NOT CMAKE_PREFIX_PATH STREQUAL "${CMAKE_BINARY_DIR}/runtime")
  file(CREATE_LINK "${CMAKE_PREFIX_PATH}" "${CMAKE_BINARY_DIR}/runtime" SYMBOLIC)
  set(CMAKE_PREFIX_PATH "${CMAKE_BINARY_DIR}/runtime")
endif()
find_program(PENSTOCK_CCACHE ccache)
if(PENSTOCK_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1 CCACHE_ABSSTDERR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros "${PENSTOCK_CCACHE}")
endif()
