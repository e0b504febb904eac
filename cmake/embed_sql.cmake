# Makes the schema part of the binary: generates OUTPUT (a .cpp in the binary directory, made again when a
# file changes) that defines storage::embedded_schema(). Names are those of files below sql/, in the order in
# which they are applied.
#
#     embed_sql(schema_sql.cpp TABLES tables/0001_engine FUNCTIONS functions/lanes VIEWS views/jobs)
function(embed_sql output)
  cmake_parse_arguments(SQL "" "" "TABLES;FUNCTIONS;VIEWS" ${ARGN})
  set(folder ${PROJECT_SOURCE_DIR}/sql)
  list(TRANSFORM SQL_TABLES REPLACE "(.+)" "${folder}/\\1.sql" OUTPUT_VARIABLE tables)
  list(TRANSFORM SQL_FUNCTIONS REPLACE "(.+)" "${folder}/\\1.sql" OUTPUT_VARIABLE functions)
  list(TRANSFORM SQL_VIEWS REPLACE "(.+)" "${folder}/\\1.sql" OUTPUT_VARIABLE views)
  set(files ${tables} ${functions} ${views})
  file(GLOB_RECURSE present CONFIGURE_DEPENDS ${folder}/*.sql)
  list(FILTER present EXCLUDE REGEX "/sql/statements/")
  list(REMOVE_ITEM present ${files})
  if(present)
    message(FATAL_ERROR "no part of the schema: ${present}")
  endif()
  add_custom_command(
    OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${output}
    COMMAND ${CMAKE_COMMAND} -D "OUTPUT=${CMAKE_CURRENT_BINARY_DIR}/${output}" -D "RELEASE=${PROJECT_VERSION}"
            -D "NUMBER=${folder}/number" -D "TABLES=${tables}" -D "FUNCTIONS=${functions}" -D "VIEWS=${views}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_sql_script.cmake
    DEPENDS ${files} ${folder}/number ${PROJECT_SOURCE_DIR}/cmake/embed_sql_script.cmake
    VERBATIM)
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  set_property(DIRECTORY APPEND PROPERTY postrider_embedded ${output})
endfunction()
