# A toolchain that changes one thing (CMAKE_TOOLCHAIN_FILE): twenty sources are compiled as one file, as most of the
# time goes into reading the same headers. That warning is about files in files.
set(CMAKE_UNITY_BUILD ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 20)
set(CMAKE_CXX_FLAGS_INIT -Wno-subobject-linkage)
