# One test program a room, from the *.test.cpp beside its code; without sanitizers also from the
# *.model.cpp, which switch stacks by themselves, and the *.counted.cpp, which count what is
# allocated. The *.stress.cpp, which need real time and luck, are programs of their own that only
# `npm run soak -- --only stress` builds and runs.
find_package(GTest REQUIRED)
include(GoogleTest)

# In whole runs six test files of a program are one translation unit, which takes half of the time: each
# would read the same headers and make the same templates. So each has a namespace of its own. The
# warning is about files in files. Where tests are worked on (dev) an edit compiles one file.
function(penstock_tests_together program)
  if(PENSTOCK_SANITIZE OR PENSTOCK_TESTS STREQUAL "plain")
    penstock_unity(${program} 6)
    target_compile_options(${program} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# A fifth of the time of a test's compilation went into reading these headers.
add_library(penstock_test_headers OBJECT testing/precompiled.cpp)
penstock_target(penstock_test_headers)
target_link_libraries(penstock_test_headers PRIVATE GTest::gtest)
target_precompile_headers(penstock_test_headers PRIVATE testing/precompiled.hpp)

function(penstock_test_program program)
  add_executable(${program} ${ARGN})
  penstock_target(${program})
  target_link_libraries(${program} PRIVATE GTest::gtest GTest::gtest_main
                        Boost::headers nlohmann_json::nlohmann_json)
  target_precompile_headers(${program} REUSE_FROM penstock_test_headers)
  target_include_directories(${program} PRIVATE testing testing/samples)
  penstock_tests_together(${program})
endfunction()

function(penstock_room_test room)
  penstock_test_program(penstock_${room}_test ${ARGN})
  if(room STREQUAL "mariadb")
    # One process for all: each would start a database server of its own.
    add_test(NAME mariadb COMMAND penstock_mariadb_test)
    set_tests_properties(mariadb PROPERTIES LABELS mariadb)
  else()
    # The label is for who runs the tests of a room (scripts/test/ctest.mjs).
    gtest_discover_tests(penstock_${room}_test PROPERTIES LABELS ${room} DISCOVERY_TIMEOUT 600)
  endif()
endfunction()

file(GLOB rooms CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/penstock penstock/*)
# A run of everything runs under both sanitizers what they can run, and the rest only as `plain`;
# ThreadSanitizer has nothing to see in rooms and test files without threads.
foreach(room IN LISTS rooms)
  if(PENSTOCK_SANITIZE MATCHES "thread" AND room MATCHES "^(base|codec|config|http|json|message)$")
    continue()
  endif()
  file(GLOB_RECURSE tests CONFIGURE_DEPENDS penstock/${room}/*.test.cpp)
  if(PENSTOCK_TESTS STREQUAL "plain")
    set(tests "")
  elseif(PENSTOCK_SANITIZE MATCHES "thread")
    list(FILTER tests EXCLUDE REGEX "/(cpu_quota|timer_wheel|token|window)\\.test\\.cpp$")
  endif()
  if(NOT PENSTOCK_SANITIZE)
    file(GLOB_RECURSE plain CONFIGURE_DEPENDS penstock/${room}/*.model.cpp penstock/${room}/*.counted.cpp)
    list(APPEND tests ${plain})
  endif()
  set(part "")
  if(TARGET penstock_${room})
    set(part penstock_${room})
  elseif(room MATCHES "^(sqlite|mariadb|http_client|tls)$")
    continue()  # its library is not on this machine
  endif()
  if(tests)
    penstock_room_test(${room} ${tests})
    target_link_libraries(penstock_${room}_test PRIVATE ${part})
    if(room MATCHES "^(http_client|tls)$")
      find_package(OpenSSL REQUIRED)  # of the other side
      target_link_libraries(penstock_${room}_test PRIVATE OpenSSL::SSL)
    endif()
  endif()
endforeach()

# Two hosts with a bad wire between them: `npm run soak -- --only wire` alone builds and runs it.
add_executable(penstock_bad_wire EXCLUDE_FROM_ALL testing/programs/bad_wire.cpp
                                                  testing/support/bad_wire.cpp)
penstock_target(penstock_bad_wire)
target_include_directories(penstock_bad_wire PRIVATE testing)

# The runtime without metrics, which the contender benchmarks measure the other one against.
file(GLOB metrics CONFIGURE_DEPENDS penstock/metrics/*.cpp)
list(FILTER metrics EXCLUDE REGEX "\\.(test|bench|stress|model|counted|world)\\.cpp$")
add_executable(penstock_unmetered_test bench/compare/overhead/unmetered.test.cpp ${metrics})
target_compile_features(penstock_unmetered_test PRIVATE cxx_std_20)
target_compile_definitions(penstock_unmetered_test PRIVATE PENSTOCK_NO_METRICS)
target_include_directories(penstock_unmetered_test PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(penstock_unmetered_test PRIVATE GTest::gtest GTest::gtest_main)
penstock_warnings(penstock_unmetered_test)
penstock_link(penstock_unmetered_test)
gtest_discover_tests(penstock_unmetered_test PROPERTIES LABELS unmetered DISCOVERY_TIMEOUT 600)
if(PENSTOCK_TESTS STREQUAL "plain")
  return()
endif()

# Real threads under load, a room's and the whole runtime's (calls, strands, resizes and pins at
# once, from a printed seed).
add_custom_target(penstock_stress_programs)
file(GLOB_RECURSE stress CONFIGURE_DEPENDS penstock/*.stress.cpp stress/*.stress.cpp)
foreach(source IN LISTS stress)
  cmake_path(GET source STEM LAST_ONLY stem)
  string(REPLACE "." "_" program "penstock_${stem}")
  cmake_path(GET source PARENT_PATH folder)
  cmake_path(GET folder FILENAME room)
  if(room STREQUAL "stress")
    set(program penstock_whole_stress)
  endif()
  penstock_test_program(${program} ${source})
  set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  add_dependencies(penstock_stress_programs ${program})
endforeach()

# Where programs and samples lie, which differs between clones, is compiled by itself: other objects are kept.
add_library(penstock_placed OBJECT testing/support/placed.cpp)
penstock_target(penstock_placed)
target_include_directories(penstock_placed PUBLIC testing)
target_compile_definitions(penstock_placed PRIVATE
  PENSTOCK_SAMPLES="${CMAKE_CURRENT_SOURCE_DIR}/testing/samples"
  PENSTOCK_DOCS="${penstock_clone}/docs"
  PENSTOCK_SAMPLE_HELLO="$<TARGET_FILE:penstock_sample_hello>"
  PENSTOCK_SAMPLE_ADS="$<TARGET_FILE:penstock_sample_ads>"
  PENSTOCK_STUBBORN="$<TARGET_FILE:penstock_stubborn>"
  PENSTOCK_NEIGHBOURS="$<TARGET_FILE:penstock_neighbours>"
  PENSTOCK_WRONG_THREAD="$<TARGET_FILE:penstock_wrong_thread>")
# Its tests read the examples of docs/wire.md.
target_link_libraries(penstock_net_test PRIVATE penstock_placed)

# What generated code looks like, and the whole of it as processes.
foreach(sample hello ads)
  add_executable(penstock_sample_${sample} testing/samples/${sample}/main.cpp
                                           testing/samples/${sample}/services.cpp)
  penstock_target(penstock_sample_${sample})
  target_include_directories(penstock_sample_${sample} PRIVATE testing/samples)
  target_link_libraries(penstock_sample_${sample} PRIVATE penstock_placed)
endforeach()
penstock_room_test(samples testing/samples/samples.test.cpp)
add_dependencies(penstock_samples_test penstock_sample_hello penstock_sample_ads)
target_link_libraries(penstock_samples_test PRIVATE penstock_placed)

# A binary whose user code is stuck, throws or blocks, as a process.
add_executable(penstock_stubborn testing/programs/stubborn.cpp)
penstock_target(penstock_stubborn)
target_include_directories(penstock_stubborn PRIVATE testing)
# One that breaks the rules about threads.
add_executable(penstock_wrong_thread testing/programs/wrong_thread.cpp)
penstock_target(penstock_wrong_thread)
target_include_directories(penstock_wrong_thread PRIVATE testing)
# Two that call each other.
add_executable(penstock_neighbours testing/programs/neighbours.cpp)
penstock_target(penstock_neighbours)
penstock_room_test(programs testing/programs/bad_wire.test.cpp testing/support/bad_wire.cpp
                            testing/programs/neighbours.test.cpp
                            testing/programs/stubborn.test.cpp
                            testing/programs/wall_clock.test.cpp
                            testing/programs/wrong_thread.test.cpp)
add_dependencies(penstock_programs_test penstock_neighbours penstock_stubborn penstock_wrong_thread)
target_link_libraries(penstock_programs_test PRIVATE penstock_placed)

# What the contender benchmarks measure with.
penstock_room_test(compare bench/compare/harness/harness.test.cpp bench/compare/http/by_hand.cpp
                           bench/compare/http/load.cpp)
target_include_directories(penstock_compare_test PRIVATE bench/compare)
