# Makes the migrations part of the binary: generates OUTPUT (a .cpp in the binary directory, made again
# when a file changes) that defines storage::embedded_migrations().
#
#     embed_sql(migrations_sql.cpp ${PROJECT_SOURCE_DIR}/sql/0001_engine.sql …)
function(embed_sql output)
  add_custom_command(
    OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${output}
    COMMAND ${CMAKE_COMMAND} -D "OUTPUT=${CMAKE_CURRENT_BINARY_DIR}/${output}" -D "FILES=${ARGN}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_sql_script.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed_sql_script.cmake
    VERBATIM)
endfunction()
