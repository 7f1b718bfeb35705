# A toolchain that changes four things (CMAKE_TOOLCHAIN_FILE). Twenty sources are compiled as one file, as most of the
# time goes into reading the same headers, which then need not be made ahead; that warning is about files in files. They
# are hardly optimised: the question is whether they run. And what was compiled in another folder, of this clone or
# of another one, is not compiled again: to ccache files of the project and of the runtime have their names in it.
set(CMAKE_PROJECT_INCLUDE "${CMAKE_CURRENT_LIST_DIR}/unityOfAll.cmake")
set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
set(CMAKE_CXX_FLAGS_INIT "-Wno-subobject-linkage")
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG" CACHE STRING "")
include("${CMAKE_CURRENT_LIST_DIR}/anywhere.cmake")
