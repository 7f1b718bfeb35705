# The page of exposed services becomes part of the library: its files as they lie in penstock/edge/page.
set(penstock_page "${CMAKE_CURRENT_SOURCE_DIR}/penstock/edge/page")
foreach(file IN ITEMS page.html page.css page.js schema.js)
  string(REPLACE "." "_" name ${file})
  file(READ "${penstock_page}/${file}" ${name})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${penstock_page}/${file}")
endforeach()
configure_file(penstock/edge/page_files.cpp.in page_files.cpp @ONLY)
target_sources(penstock PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/page_files.cpp")
