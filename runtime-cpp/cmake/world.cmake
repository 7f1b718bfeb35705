# The runtime in a simulated world (testing/world): the same sources compiled a second time, with the
# world's threads, locks, atomics and clock (testing/world/seam.hpp), and the tests that run in it,
# *.world.cpp beside the code that they are about. ThreadSanitizer has nothing to see there: it all
# runs on one thread.
if(PENSTOCK_SANITIZE MATCHES "thread" OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|aarch64")
  return()
endif()

set(world_sources "")
set(world_rooms base concurrent json codec exec metrics call flow net)
if(OpenSSL_FOUND)
  list(APPEND world_rooms tls)
endif()
foreach(room ${world_rooms})
  file(GLOB_RECURSE of_room CONFIGURE_DEPENDS penstock/${room}/*.cpp)
  list(FILTER of_room EXCLUDE REGEX "\\.(test|bench|stress|model|counted|world)\\.cpp$")
  # What the world stands for (testing/world/platform.cpp, system_calls.cpp), and what needs files,
  # the network's names or other servers.
  list(FILTER of_room EXCLUDE REGEX "/(futex|barrier|http_source|http_tls|owner)\\.cpp$")
  list(FILTER of_room EXCLUDE REGEX "/net/nats/|_discovery\\.cpp$|/(lookup|resolved|names)\\.cpp$")
  list(APPEND world_sources ${of_room})
endforeach()
list(APPEND world_sources penstock/app/joins/joins.cpp penstock/app/joins/places.cpp penstock/app/test_binary.cpp
                          penstock/app/pools/cached_pools.cpp
                          penstock/app/pools/adaptive_pools.cpp penstock/app/pools/pool_controller.cpp)
file(GLOB world CONFIGURE_DEPENDS testing/world/*.cpp)
list(FILTER world EXCLUDE REGEX "(\\.world|/ordinary_tests)\\.cpp$")
if(NOT OpenSSL_FOUND)
  list(FILTER world EXCLUDE REGEX "/openssl\\.cpp$")
endif()

add_library(penstock_world STATIC ${world_sources} ${world})
target_compile_features(penstock_world PUBLIC cxx_std_20)
target_compile_definitions(penstock_world PUBLIC PENSTOCK_WORLD PENSTOCK_CHECKS)
target_compile_options(penstock_world PUBLIC
  "SHELL:-include ${CMAKE_CURRENT_SOURCE_DIR}/testing/world/seam.hpp")
target_include_directories(penstock_world PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}
                                                 ${CMAKE_CURRENT_SOURCE_DIR}/testing)
target_link_libraries(penstock_world PUBLIC Threads::Threads GTest::gtest
                                            nlohmann_json::nlohmann_json ${CMAKE_DL_LIBS})
# What is asked of the kernel about sockets (testing/world/system_calls.cpp).
foreach(call socket bind listen connect accept4 getsockname getpeername getsockopt setsockopt send
             recv sendmsg recvmsg write close eventfd epoll_create1 epoll_ctl epoll_wait epoll_pwait2)
  target_link_options(penstock_world PUBLIC "LINKER:--wrap=${call}")
endforeach()
if(OpenSSL_FOUND)
  target_link_libraries(penstock_world PUBLIC OpenSSL::SSL)
  # What has it read and write a socket (testing/world/openssl.cpp).
  foreach(call SSL_read_ex SSL_write_ex SSL_shutdown)
    target_link_options(penstock_world PUBLIC "LINKER:--wrap=${call}")
  endforeach()
endif()
penstock_unity(penstock_world 12)
penstock_warnings(penstock_world)
if(PENSTOCK_SANITIZE)
  target_compile_options(penstock_world PUBLIC -fsanitize=${PENSTOCK_SANITIZE}
                                               -fno-omit-frame-pointer)
  target_link_options(penstock_world PUBLIC -fsanitize=${PENSTOCK_SANITIZE})
else()
  target_compile_options(penstock_world PRIVATE -O2)
endif()

file(GLOB_RECURSE world_tests CONFIGURE_DEPENDS penstock/*.world.cpp testing/world/*.world.cpp)
if(NOT OpenSSL_FOUND)
  list(FILTER world_tests EXCLUDE REGEX "/penstock/tls/")
endif()
add_executable(penstock_world_test ${world_tests})
target_link_libraries(penstock_world_test PRIVATE penstock_world GTest::gtest_main)
penstock_warnings(penstock_world_test)
penstock_tests_together(penstock_world_test)
penstock_link(penstock_world_test)
gtest_discover_tests(penstock_world_test PROPERTIES LABELS world DISCOVERY_TIMEOUT 600)

# The tests of calls as they stand, which wait for their deadlines there in no time. Without those
# about the load of a real machine, or too many calls to be drawn one by one. Not under sanitizers,
# which see the same tests on real threads.
if(NOT PENSTOCK_SANITIZE)
  file(GLOB_RECURSE ordinary_tests CONFIGURE_DEPENDS penstock/call/*.test.cpp)
  list(FILTER ordinary_tests EXCLUDE REGEX "/(watchdog|direct|overload|strand)\\.test\\.cpp$")
  add_executable(penstock_ordinary_world_test testing/world/ordinary_tests.cpp ${ordinary_tests})
  target_link_libraries(penstock_ordinary_world_test PRIVATE penstock_world GTest::gtest)
  penstock_warnings(penstock_ordinary_world_test)
  penstock_tests_together(penstock_ordinary_world_test)
  penstock_link(penstock_ordinary_world_test)
  gtest_discover_tests(penstock_ordinary_world_test TEST_PREFIX world. TEST_FILTER -*GrowsToTheMostThreads*
                       PROPERTIES LABELS world DISCOVERY_TIMEOUT 600)
endif()
