# Run by embed_statements() at build time.

# The file's opening comment, and what follows it.
function(read_statement file comment text)
  file(READ "${file}" rest)
  set(lines "")
  while(rest MATCHES "^(--[^\n]*\n)")
    string(APPEND lines "${CMAKE_MATCH_1}")
    string(LENGTH "${CMAKE_MATCH_1}" length)
    string(SUBSTRING "${rest}" ${length} -1 rest)
  endwhile()
  if(lines STREQUAL "")
    message(FATAL_ERROR "${file}: says nothing of itself")
  endif()
  string(STRIP "${rest}" rest)
  set(${comment} "${lines}" PARENT_SCOPE)
  set(${text} "${rest}" PARENT_SCOPE)
endfunction()

set(declarations "")
set(definitions "")
foreach(file IN LISTS FILES)
  cmake_path(GET file STEM name)
  cmake_path(GET file PARENT_PATH folder)
  read_statement("${file}" comment text)
  while(text MATCHES "{{([a-z_]+)}}")
    set(part "${CMAKE_MATCH_1}")
    read_statement("${folder}/parts/${part}.sql" ignored part_text)
    string(REPLACE "{{${part}}}" "${part_text}" text "${text}")
  endwhile()
  set(members "\n    .name = \"${name}\",\n    .sql = R\"statement(\n${text}\n)statement\",\n")
  if(comment MATCHES "\n-- order: ([0-9]+)\n")
    string(APPEND members "    .order = ${CMAKE_MATCH_1},\n")
    string(FIND "${comment}" "\n-- $2, $3: the least and the greatest job of the rows\n" range)
    string(FIND "${text}" "$2" bounds)
    if(NOT range EQUAL -1)
      string(APPEND members "    .takes = storage::rows_and_range,\n")
    elseif(NOT bounds EQUAL -1)
      message(FATAL_ERROR "${file}: a statement of a batch takes rows, or rows and a range of jobs")
    endif()
  endif()
  string(APPEND declarations "extern storage::statement const ${name};\n")
  string(APPEND definitions "constinit storage::statement const ${name}{${members}};\n\n")
endforeach()
file(WRITE "${OUTPUT}"
"#include \"storage/statement.hpp\"

namespace ${NAMESPACE} {

${declarations}
${definitions}} // namespace ${NAMESPACE}
")
