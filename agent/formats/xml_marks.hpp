#pragma once
// Reads a document's marks before an XML parser does, for what would make the parser work too much, load something or
// expand something. It is exact as far as a document is well-formed, and the parser reads none further. Pure.
#include "base/error.hpp"

#include <string_view>

namespace postrider::agent::formats {

inline constexpr std::size_t most_xml_attributes =
    256; // of an element: each is compared with all before it

class xml_mark_scanner {
public:
    // The next bytes, in pieces of any size. invalid: a DOCTYPE, or U+0000, as UTF-16 has; too_large: an element with
    // too many attributes. Nothing may be read after that.
    base::result<void> read(std::string_view piece);

    static base::error document_type_error();

private:
    enum class place { text, mark, tag, quote, comment, cdata, instruction };

    base::result<void> read_mark(char c);
    base::result<void> read_tag(char c);
    void skip_to(std::string_view end, char c);

    place place_ = place::text;
    std::size_t matched_ =
        0; // characters of the mark's beginning, or of the end that is looked for
    std::string_view beginning_; // that the mark may still become
    char quote_ = 0;
    std::size_t attributes_ = 0;
};

} // namespace postrider::agent::formats
