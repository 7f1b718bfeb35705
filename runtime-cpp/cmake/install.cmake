include(CMakePackageConfigHelpers)

install(TARGETS penstock penstock_sql EXPORT penstock_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# A part that needs another library has targets of its own: who does not ask for it does not need it.
foreach(part IN LISTS penstock_parts)
  install(TARGETS penstock_${part} EXPORT penstock_${part}_targets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT penstock_${part}_targets NAMESPACE penstock:: FILE penstock_${part}_targets.cmake
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/penstock)
endforeach()
install(EXPORT penstock_targets NAMESPACE penstock:: FILE penstock_targets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/penstock)

# What the public headers reach; the rooms behind the library's walls stay out.
install(DIRECTORY penstock/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/penstock
        FILES_MATCHING PATTERN "*.hpp"
        PATTERN "config" EXCLUDE PATTERN "control" EXCLUDE PATTERN "json/document.hpp" EXCLUDE
        PATTERN "app" EXCLUDE PATTERN "http" EXCLUDE PATTERN "edge" EXCLUDE PATTERN "net" EXCLUDE
        PATTERN "sqlite" EXCLUDE PATTERN "mariadb" EXCLUDE
        PATTERN "tls" EXCLUDE)
install(FILES penstock/app/ask_binding.hpp penstock/app/binding.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/penstock/app)
install(FILES penstock/net/remote/calls/remote_type.hpp penstock/net/remote/calls/row_type.hpp
              penstock/net/remote/calls/stage_type.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/penstock/net/remote/calls)
install(FILES penstock/net/remote/names/publication.hpp penstock/net/remote/names/own_names.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/penstock/net/remote/names)

configure_package_config_file(cmake/penstock-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/penstock-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/penstock)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/penstock-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/penstock-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/penstock-config-version.cmake
              cmake/penstock_target.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/penstock)
