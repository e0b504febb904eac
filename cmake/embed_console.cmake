# Makes the console (web/) part of the binary: generates OUTPUT, a .cpp in the binary directory that defines
# postrider::console::embedded_assets(). scripts/setup installs what web/ is built with into build/web. Without that
# or without Node.js the table is empty, and the program has no console.
function(embed_console output)
  set(web ${PROJECT_SOURCE_DIR}/web)
  set(modules ${PROJECT_SOURCE_DIR}/build/web/node_modules)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${web}/src/* ${web}/*.mjs ${web}/package.json)
  # So that a later setup brings the console into a build folder that is there.
  file(GLOB installed CONFIGURE_DEPENDS ${modules}/.package-lock.json)
  list(FILTER sources EXCLUDE REGEX "/node_modules/|[.]gen[.]ts$")
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_console_script.cmake)
  add_custom_command(
    OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${output}
    COMMAND ${CMAKE_COMMAND} -D "OUTPUT=${CMAKE_CURRENT_BINARY_DIR}/${output}" -D "WEB=${web}"
            -D "MODULES=${modules}" -P ${script}
    DEPENDS ${sources} ${installed} ${script} ${PROJECT_SOURCE_DIR}/server/console/embedded_assets.hpp
    COMMENT "Building the console"
    VERBATIM)
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  set_property(DIRECTORY APPEND PROPERTY postrider_embedded ${output})
endfunction()
