# A toolchain that changes three things (CMAKE_TOOLCHAIN_FILE). Twenty sources are compiled as one file, as most of the
# time goes into reading the same headers, which then need not be made ahead; that warning is about files in files. They
# are hardly optimised: the question is whether they run. And what another test has compiled in another folder is not
# compiled again: to ccache a file of the project has its name in it.
set(CMAKE_UNITY_BUILD ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 20)
set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
set(CMAKE_CXX_FLAGS_INIT -Wno-subobject-linkage)
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG" CACHE STRING "")
find_program(PENSTOCK_CCACHE ccache)
if(PENSTOCK_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1
                                  CCACHE_ABSSTDERR=1 "${PENSTOCK_CCACHE}")
endif()
