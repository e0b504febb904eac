// Functions that look for something in a text. Positions count code points; -1: not there.
#include "agent/expression/search.hpp"

#include "agent/expression/functions/families.hpp"
#include "agent/expression/values.hpp"
#include "agent/language/unicode.hpp"

#include <array>

namespace postrider::agent::expressions {

namespace {

struct pair_of_texts {
    std::string_view text;
    std::string_view needle;
};

fallible<pair_of_texts> texts_of(call const& call) {
    auto const text = call.text(0);
    auto const needle = call.text(1);
    if (!text) return text.error();
    if (!needle) return needle.error();
    return pair_of_texts{*text, *needle};
}

fallible<bool> array_contains(json::array const& array, json::value const& needle, budget& budget) {
    for (auto const& item : array)
        if (auto same = equal(item, needle, budget); !same || *same) return same;
    return false;
}

template<bool (*Holds)(std::string_view text, std::string_view needle)>
fallible<operand> text_has(call const& call) {
    auto const texts = texts_of(call);
    if (!texts) return texts.error();
    return json::value(Holds(texts->text, texts->needle));
}

bool text_contains(std::string_view text, std::string_view needle) {
    return find_text(text, needle) != text.npos;
}
fallible<operand> contains_part(call const& call) {
    if (auto const* array = call[0].if_array()) {
        auto const contained = array_contains(*array, call[1], call.budget);
        if (!contained) return contained.error();
        return json::value(*contained);
    }
    return text_has<text_contains>(call);
}

bool starts_with(std::string_view text, std::string_view needle) {
    return text.starts_with(needle);
}
bool ends_with(std::string_view text, std::string_view needle) {
    return text.ends_with(needle);
}

json::value position_of(std::string_view text, std::size_t position) {
    if (position == text.npos) return -1;
    return static_cast<std::int64_t>(code_points(text.substr(0, position)));
}

fallible<operand> index_of(call const& call) {
    auto const texts = texts_of(call);
    if (!texts) return texts.error();
    auto const [text, needle] = *texts;
    if (call.count() < 3) return position_of(text, find_text(text, needle));
    auto const from = call.whole(2, text.size());
    if (!from) return from.error();
    auto const begin = offset_of(text, *from);
    if (begin == text.npos) return failure{"argument 3 of indexOf() lies outside the string"};
    return position_of(text, find_text(text, needle, begin));
}

// Where a search for the last one begins: at the end, or where the argument says.
fallible<std::size_t> last_begin(call const& call, std::string_view text) {
    if (call.count() < 3) return text.size();
    auto const from = call.whole(2, text.size());
    if (!from) return from.error();
    auto const begin = offset_of(text, *from);
    if (begin == text.npos) return failure{"argument 3 of lastIndexOf() lies outside the string"};
    return begin;
}

fallible<operand> last_index_of(call const& call) {
    auto const texts = texts_of(call);
    if (!texts) return texts.error();
    auto const [text, needle] = *texts;
    auto const begin = last_begin(call, text);
    if (!begin) return begin.error();
    // What a search from behind takes at worst.
    if (!call.budget.spend_bytes(text.size() * needle.size())) return call.budget.failure();
    return position_of(text, text.rfind(needle, *begin));
}

constexpr std::array search_functions{
    function{
        "contains",
        2,
        2,
        contains_part,
        R"doc(whether the text contains another text, or the array an item
"telegram".contains("gram") → true
$json.tags.contains("paid") → true)doc"},
    function{"endsWith", 2, 2, text_has<ends_with>, R"doc(whether the text ends with another text
"a.pdf".endsWith(".pdf") → true)doc"},
    function{
        "indexOf",
        2,
        3,
        index_of,
        R"doc(the position of the first match, or -1; an optional position sets where the search starts
"banana".indexOf("an") → 1
"banana".indexOf("an", 2) → 3)doc"},
    function{
        "lastIndexOf",
        2,
        3,
        last_index_of,
        R"doc(the position of the last match, or -1; with a position, of the last match that starts there or before
"banana".lastIndexOf("an") → 3
"banana".lastIndexOf("an", 2) → 1)doc"},
    function{
        "startsWith", 2, 2, text_has<starts_with>, R"doc(whether the text starts with another text
"/start".startsWith("/") → true)doc"},
};

} // namespace

function_family const search_family{"Searching", search_functions};

} // namespace postrider::agent::expressions
