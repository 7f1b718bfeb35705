# Parts of the runtime that a binary links only when its drawing needs them: a project without a
# database needs no database's library, one that asks nobody over HTTP no libcurl, one on a single
# host no OpenSSL. A part whose library is not on this machine is left out, and
# a project that asks for it is told so (penstock-config.cmake.in).
set(penstock_parts "")

# penstock_part(<name> rooms...): target penstock_<name>, penstock::<name> for its users.
function(penstock_part name)
  set(sources "")
  foreach(room IN LISTS ARGN)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS penstock/${room}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  list(FILTER sources EXCLUDE REGEX "\\.(test|bench|stress|model|counted|world)\\.cpp$")
  add_library(penstock_${name} STATIC ${sources})
  add_library(penstock::${name} ALIAS penstock_${name})
  set_target_properties(penstock_${name} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(penstock_${name} PUBLIC penstock)
  penstock_warnings(penstock_${name})
  if(CMAKE_BUILD_TYPE STREQUAL "Release" OR PENSTOCK_SANITIZE)
    # One translation unit, as the rooms of the library are in these presets.
    penstock_unity(penstock_${name} 0)
  endif()
endfunction()

find_package(CURL 7.87)
if(CURL_FOUND)
  penstock_part(http_client http_client)
  list(APPEND penstock_parts http_client)
  target_link_libraries(penstock_http_client PRIVATE CURL::libcurl)
endif()
if(PENSTOCK_TESTS STREQUAL "plain")
  return()  # the only part with tests that no sanitizer runs
endif()

penstock_part(sql sql)

find_package(SQLite3)
if(SQLite3_FOUND)
  penstock_part(sqlite sqlite)
  list(APPEND penstock_parts sqlite)
  target_link_libraries(penstock_sqlite PUBLIC penstock_sql PRIVATE SQLite::SQLite3)
endif()

find_path(PENSTOCK_MARIADB_INCLUDE mysql.h PATH_SUFFIXES mariadb)
find_library(PENSTOCK_MARIADB_LIBRARY mariadb)
if(PENSTOCK_MARIADB_INCLUDE AND PENSTOCK_MARIADB_LIBRARY)
  penstock_part(mariadb mariadb)
  list(APPEND penstock_parts mariadb)
  # Not exported with this machine's paths: the config finds the library again.
  target_include_directories(penstock_mariadb SYSTEM PRIVATE ${PENSTOCK_MARIADB_INCLUDE})
  target_link_libraries(penstock_mariadb PUBLIC penstock_sql
                        INTERFACE $<BUILD_INTERFACE:${PENSTOCK_MARIADB_LIBRARY}>
                                  $<INSTALL_INTERFACE:penstock::mariadb_client>)
endif()

find_package(OpenSSL 3.0)
if(OpenSSL_FOUND)
  penstock_part(tls tls)
  list(APPEND penstock_parts tls)
  target_link_libraries(penstock_tls PRIVATE OpenSSL::SSL)
endif()
