# Run by embed_sql() at build time.

# The file as C++ literals side by side, cut at line ends: one literal has a limit of length.
function(read_literals file result)
  file(READ "${file}" text)
  set(literals "")
  while(NOT text STREQUAL "")
    string(LENGTH "${text}" length)
    if(length GREATER 12000)
      string(SUBSTRING "${text}" 0 12000 part)
      string(FIND "${part}" "\n" end REVERSE)
      math(EXPR end "${end} + 1")
      string(SUBSTRING "${text}" 0 ${end} part)
      string(SUBSTRING "${text}" ${end} -1 text)
    else()
      set(part "${text}")
      set(text "")
    endif()
    string(APPEND literals "\n     R\"embedded(${part})embedded\"")
  endwhile()
  set(${result} "${literals}" PARENT_SCOPE)
endfunction()

# Lines of an array of storage::schema_file.
function(read_entries files result)
  set(entries "")
  foreach(file IN LISTS files)
    cmake_path(GET file STEM name)
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    file(SHA256 "${file}" digest)
    read_literals("${file}" literals)
    string(APPEND entries "    {\"${folder}/${name}\", \"${digest}\",${literals}},\n")
  endforeach()
  set(${result} "${entries}" PARENT_SCOPE)
endfunction()

foreach(file IN LISTS TABLES)
  if(NOT file MATCHES "/[0-9][0-9][0-9][0-9]_[a-z0-9_]+\\.sql$")
    message(FATAL_ERROR "${file}: a file of tables is named like 0001_engine.sql")
  endif()
endforeach()
file(STRINGS "${NUMBER}" number REGEX "^[0-9]+ ")
string(REGEX MATCH "^[0-9]+" number "${number}")
read_entries("${TABLES}" tables)
read_entries("${FUNCTIONS}" functions)
read_entries("${VIEWS}" views)
file(WRITE "${OUTPUT}"
"#include \"storage/embedded_schema.hpp\"

namespace postrider::storage {

schema const& embedded_schema() {
    static constexpr schema_file tables[] = {
${tables}    };
    static constexpr schema_file functions[] = {
${functions}    };
    static constexpr schema_file views[] = {
${views}    };
    static constexpr schema all{
        .release = \"${RELEASE}\", .number = ${number}, .tables = tables, .functions = functions, .views = views};
    return all;
}

} // namespace postrider::storage
")
