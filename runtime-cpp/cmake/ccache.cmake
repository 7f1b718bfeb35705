# With ccache a second build is a matter of seconds, that of the same files in another clone too: whatever lies in the
# clone, penstock_clone, is named relative to where it is compiled.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH penstock_clone)
cmake_path(GET penstock_clone PARENT_PATH penstock_clone)
find_program(PENSTOCK_CCACHE ccache)
if(PENSTOCK_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness that ccache asks for to know precompiled headers, those of the tests.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${penstock_clone}
      CCACHE_ABSSTDERR=1 ${PENSTOCK_CCACHE})
endif()
