# Run by embed_console() at build time.
cmake_path(GET OUTPUT PARENT_PATH folder)
find_program(node NAMES node nodejs)
if(node AND EXISTS "${MODULES}/esbuild" AND EXISTS "${MODULES}/react")
  execute_process(
    COMMAND "${node}" "${WEB}/build.mjs" "${folder}/console" "${MODULES}"
    OUTPUT_VARIABLE log ERROR_VARIABLE log RESULT_VARIABLE outcome)
  if(NOT outcome EQUAL 0)
    message(FATAL_ERROR "the console could not be built:\n${log}")
  endif()
  file(COPY_FILE "${folder}/console/assets.cpp" "${OUTPUT}")
else()
  message(STATUS "The console is left out: scripts/setup found no Node.js or npm")
  file(WRITE "${OUTPUT}" "#include \"server/console/embedded_assets.hpp\"

namespace postrider::console {

std::span<embedded_asset const> embedded_assets() {
    return {};
}

} // namespace postrider::console
")
endif()
