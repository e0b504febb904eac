#pragma once
// Joins texts and replaces parts of them. fmt::join and boost::replace_all do so, too, but whatever file
// uses them compiles them anew. Pure.
#include <string>
#include <string_view>

namespace postrider::base {

// "a, b, c"
template<class Words>
std::string joined(Words const& words, std::string_view between) {
    std::string text;
    bool first = true;
    for (std::string_view const word : words) {
        if (!first) text.append(between);
        text.append(word);
        first = false;
    }
    return text;
}

// Each `from` of the text, from its beginning; what is put in its place is not looked at again. An empty one
// is nowhere.
void replace_all(std::string& text, std::string_view from, std::string_view to);

} // namespace postrider::base
