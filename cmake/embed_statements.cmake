# Makes files of sql/statements part of a room: generates OUTPUT (a .cpp in the binary directory, made again when
# a file changes) that defines storage::statement const NAME for each of the NAMES. A header of the room declares
# them. What a file's opening comment says to a program:
#
#     -- order: 70                                               its place in a batch (storage/batcher.hpp)
#     -- $2, $3: the least and the greatest job of the rows      it takes a range of jobs
#
# {{NAME}} stands for the text of sql/statements/parts/NAME.sql, and {{FILE.NAME}} for what stands in
# sql/functions/FILE.sql between the lines "-- part: NAME" and "-- end".
#
#     embed_statements(statements.cpp NAMESPACE postrider::queue::sql NAMES claim fence)
function(embed_statements output)
  cmake_parse_arguments(SQL "" "NAMESPACE" "NAMES" ${ARGN})
  set(folder ${PROJECT_SOURCE_DIR}/sql/statements)
  list(TRANSFORM SQL_NAMES REPLACE "(.+)" "${folder}/\\1.sql" OUTPUT_VARIABLE files)
  set_property(GLOBAL APPEND PROPERTY postrider_statements ${files})
  file(GLOB parts CONFIGURE_DEPENDS ${folder}/parts/*.sql ${PROJECT_SOURCE_DIR}/sql/functions/*.sql)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_statements_script.cmake)
  add_custom_command(
    OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${output}
    COMMAND ${CMAKE_COMMAND} -D "OUTPUT=${CMAKE_CURRENT_BINARY_DIR}/${output}" -D "NAMESPACE=${SQL_NAMESPACE}"
            -D "FILES=${files}" -P ${script}
    DEPENDS ${files} ${parts} ${script}
    VERBATIM)
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  set_property(DIRECTORY APPEND PROPERTY postrider_embedded ${output})
endfunction()

# Behind the last room: fails for a statement that none of them embeds, and for a part that no statement has.
function(check_statements)
  set(folder ${PROJECT_SOURCE_DIR}/sql/statements)
  get_property(embedded GLOBAL PROPERTY postrider_statements)
  file(GLOB unused CONFIGURE_DEPENDS ${folder}/*.sql)
  list(REMOVE_ITEM unused ${embedded})
  set(texts "")
  foreach(file IN LISTS embedded)
    file(READ ${file} text)
    string(APPEND texts "${text}")
  endforeach()
  file(GLOB parts CONFIGURE_DEPENDS ${folder}/parts/*.sql)
  foreach(file IN LISTS parts)
    cmake_path(GET file STEM name)
    if(NOT texts MATCHES "{{${name}}}")
      list(APPEND unused ${file})
    endif()
  endforeach()
  if(unused)
    message(FATAL_ERROR "no part of the program: ${unused}")
  endif()
endfunction()
