# Tests are compiled as one file and benchmarks as another, which takes a fifth of the time: all of them include the
# same. Handlers and binaries stay file by file, as users compile them.
include("${CMAKE_CURRENT_LIST_DIR}/../../../scripts/test/anywhere.cmake")
add_compile_options(-fno-canonical-system-headers)
cmake_language(DEFER CALL set_target_properties Tests Benches PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 20)
