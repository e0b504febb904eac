#pragma once
// Reads protocol buffers in their text format, as far as Google's conformance tests of CEL use it:
// fields that are messages, strings, numbers and words. std::runtime_error: the text is not that.
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

struct text_proto {
    std::string name;
    std::string text;               // of a string: its bytes; of a number or a word: as it stands
    std::vector<text_proto> fields; // of a message

    text_proto const* find(std::string_view field) const;
    std::vector<text_proto const*> all(std::string_view field) const;
    // Of the field; "": there is none.
    std::string_view text_of(std::string_view field) const;
};

// A message without a name that has the fields of the file.
text_proto read_text_proto(std::string_view file);

} // namespace postrider::agent
