# Run by embed_sql() at build time. Long files become several literals side by side, cut at line ends.
set(entries "")
foreach(file IN LISTS FILES)
  cmake_path(GET file STEM name)
  if(NOT name MATCHES "^([0-9][0-9][0-9][0-9])_[a-z0-9_]+$")
    message(FATAL_ERROR "${file}: a migration is named like 0001_engine.sql")
  endif()
  math(EXPR number "1${CMAKE_MATCH_1} - 10000")
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
  string(APPEND entries "    {${number}, \"${name}\",${literals}},\n")
endforeach()
file(WRITE "${OUTPUT}"
"#include \"storage/migrations.hpp\"

namespace postrider::storage {

std::span<migration const> embedded_migrations() {
    static constexpr migration all[] = {
${entries}    };
    return all;
}

} // namespace postrider::storage
")
