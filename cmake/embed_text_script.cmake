# Run by embed_text() at build time. A text becomes an array of bytes: it has no limit of length, and
# nothing in it needs escaping.
<<<<<<< HEAD
set(texts "")
set(views "")
set(number 0)
foreach(file IN LISTS FILES)
=======
set(functions "")
foreach(file name IN ZIP_LISTS FILE NAME)
>>>>>>> 14236955 (Describe each node type in a file of its own)
  file(READ "${file}" bytes HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  string(REPEAT "." 98 line) # fourteen bytes
  string(REGEX REPLACE "(${line})" "\\1\n        " bytes "${bytes}")
<<<<<<< HEAD
  string(APPEND texts "    static constexpr char text_${number}[] = {\n        ${bytes}};\n")
  string(APPEND views "{text_${number}, sizeof text_${number}}, ")
  math(EXPR number "${number} + 1")
endforeach()
if(ONE)
  set(type "std::string_view")
  set(result "${views}")
  string(REPLACE "}, " "}" result "${result}")
  set(result "    return ${result};\n")
else()
  set(type "std::span<std::string_view const>")
  set(result "    static constexpr std::string_view all[] = {${views}};\n    return all;\n")
endif()
file(WRITE "${OUTPUT}"
"#include <span>
#include <string_view>

namespace ${NAMESPACE} {

${type} ${NAME}() {
${texts}${result}}
=======
  string(APPEND functions "
std::string_view ${name}() {
    static constexpr char text[] = {
        ${bytes}};
    return {text, sizeof text};
}
")
endforeach()
file(WRITE "${OUTPUT}"
"#include <string_view>
>>>>>>> 14236955 (Describe each node type in a file of its own)

namespace ${NAMESPACE} {
${functions}
} // namespace ${NAMESPACE}
")
