# One benchmark program a room, from the *.bench.cpp beside its code.
find_package(benchmark REQUIRED)

file(GLOB rooms CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/penstock penstock/*)
foreach(room IN LISTS rooms)
  file(GLOB_RECURSE benches CONFIGURE_DEPENDS penstock/${room}/*.bench.cpp)
  if(benches)
    add_executable(penstock_${room}_bench ${benches})
    penstock_target(penstock_${room}_bench)
    target_link_libraries(penstock_${room}_bench PRIVATE benchmark::benchmark_main)
    target_include_directories(penstock_${room}_bench PRIVATE testing)
  endif()
endforeach()

# Ours beside limits and peers.
add_subdirectory(bench/compare)
