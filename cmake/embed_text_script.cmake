# Run by embed_text() at build time. A text becomes an array of bytes: it has no limit of length, and
# nothing in it needs escaping.
set(functions "")
foreach(file name IN ZIP_LISTS FILE NAME)
  file(READ "${file}" bytes HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  string(REPEAT "." 98 line) # fourteen bytes
  string(REGEX REPLACE "(${line})" "\\1\n        " bytes "${bytes}")
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

namespace ${NAMESPACE} {
${functions}
} // namespace ${NAMESPACE}
")
