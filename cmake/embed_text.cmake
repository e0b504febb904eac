# Makes a text file part of the binary: generates OUTPUT (a .cpp in the binary directory, made again
# when the file changes) that defines std::string_view NAME(). A header of the namespace declares it; the .cpp
# does without, so it is compiled at once.
#
#     embed_text(openapi_base.cpp FILE api/openapi.json NAMESPACE postrider::api NAME openapi_base)
#
# With FILES for FILE it defines std::span<std::string_view const> NAME(), in their order.
function(embed_text output)
  cmake_parse_arguments(TEXT "" "FILE;NAMESPACE;NAME" "FILES" ${ARGN})
  set(files "")
  foreach(file IN LISTS TEXT_FILE TEXT_FILES)
    cmake_path(ABSOLUTE_PATH file)
    list(APPEND files "${file}")
  endforeach()
  add_custom_command(
    OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${output}
    COMMAND ${CMAKE_COMMAND} -D "OUTPUT=${CMAKE_CURRENT_BINARY_DIR}/${output}" -D "FILES=${files}"
            -D "ONE=${TEXT_FILE}"
            -D "NAMESPACE=${TEXT_NAMESPACE}" -D "NAME=${TEXT_NAME}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_text_script.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/embed_text_script.cmake
    VERBATIM)
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endfunction()
