# Makes text files part of the binary: generates OUTPUT (a .cpp in the binary directory, made again
# when a file changes) that defines std::string_view NAME() for each FILE. A header of the namespace declares it; the
# .cpp does without, so it is compiled at once.
#
#     embed_text(openapi_base.cpp FILE api/openapi.json NAMESPACE postrider::api NAME openapi_base)
function(embed_text output)
  cmake_parse_arguments(TEXT "" "NAMESPACE" "FILE;NAME" ${ARGN})
  list(TRANSFORM TEXT_FILE PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  add_custom_command(
    OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${output}
    COMMAND ${CMAKE_COMMAND} -D "OUTPUT=${CMAKE_CURRENT_BINARY_DIR}/${output}" -D "FILE=${TEXT_FILE}"
            -D "NAMESPACE=${TEXT_NAMESPACE}" -D "NAME=${TEXT_NAME}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_text_script.cmake
    DEPENDS ${TEXT_FILE} ${PROJECT_SOURCE_DIR}/cmake/embed_text_script.cmake
    VERBATIM)
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  set_property(DIRECTORY APPEND PROPERTY postrider_embedded ${output})
endfunction()
