# Run by embed_text() at build time. The text becomes an array of bytes: it has no limit of length, and
# nothing in it needs escaping.
file(READ "${FILE}" bytes HEX)
string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
string(REPEAT "." 98 line) # fourteen bytes
string(REGEX REPLACE "(${line})" "\\1\n        " bytes "${bytes}")
file(WRITE "${OUTPUT}"
"#include <string_view>

namespace ${NAMESPACE} {

std::string_view ${NAME}() {
    static constexpr char text[] = {
        ${bytes}};
    return {text, sizeof text};
}

} // namespace ${NAMESPACE}
")
