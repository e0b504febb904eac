// Functions that look for something in a text. Positions count code points; -1: not there.
#include "agent/expression/search.hpp"

#include "agent/expression/functions/families.hpp"
#include "agent/expression/unicode.hpp"
#include "agent/expression/values.hpp"

#include <array>

namespace postrider::agent::expressions {

namespace {

struct pair_of_texts {
    std::string_view text;
    std::string_view wanted;
};

fallible<pair_of_texts> texts_of(call const& given) {
    auto const text = given.text(0);
    auto const wanted = given.text(1);
    if (!text) return text.error();
    if (!wanted) return wanted.error();
    return pair_of_texts{*text, *wanted};
}

fallible<bool> array_contains(json::array const& array, json::value const& wanted, budget& budget) {
    for (auto const& item : array)
        if (auto const same = equal(item, wanted, budget); !same || *same) return same;
    return false;
}

template<bool (*Holds)(std::string_view text, std::string_view wanted)>
fallible<operand> tells(call const& given) {
    auto const both = texts_of(given);
    if (!both) return both.error();
    return json::value(Holds(both->text, both->wanted));
}

bool text_contains(std::string_view text, std::string_view wanted) {
    return find_text(text, wanted) != text.npos;
}
fallible<operand> contains(call const& given) {
    if (auto const* array = given[0].if_array()) {
        auto const found = array_contains(*array, given[1], given.budget);
        if (!found) return found.error();
        return json::value(*found);
    }
    return tells<text_contains>(given);
}

bool starts_with(std::string_view text, std::string_view wanted) {
    return text.starts_with(wanted);
}
bool ends_with(std::string_view text, std::string_view wanted) {
    return text.ends_with(wanted);
}

json::value position_of(std::string_view text, std::size_t found) {
    if (found == text.npos) return -1;
    return static_cast<std::int64_t>(code_points(text.substr(0, found)));
}

fallible<operand> index_of(call const& given) {
    auto const both = texts_of(given);
    if (!both) return both.error();
    auto const [text, wanted] = *both;
    if (given.count() < 3) return position_of(text, find_text(text, wanted));
    auto const from = given.whole(2, text.size());
    if (!from) return from.error();
    auto const begin = offset_of(text, *from);
    if (begin == text.npos) return failure{"argument 3 of indexOf() lies outside the string"};
    return position_of(text, find_text(text, wanted, begin));
}

// Where a search for the last one begins: at the end, or where the argument says.
fallible<std::size_t> last_begin(call const& given, std::string_view text) {
    if (given.count() < 3) return text.size();
    auto const from = given.whole(2, text.size());
    if (!from) return from.error();
    auto const begin = offset_of(text, *from);
    if (begin == text.npos) return failure{"argument 3 of lastIndexOf() lies outside the string"};
    return begin;
}

fallible<operand> last_index_of(call const& given) {
    auto const both = texts_of(given);
    if (!both) return both.error();
    auto const [text, wanted] = *both;
    auto const begin = last_begin(given, text);
    if (!begin) return begin.error();
    // What a search from behind takes at worst.
    if (!given.budget.spend_bytes(text.size() * wanted.size())) return given.budget.failure();
    return position_of(text, text.rfind(wanted, *begin));
}

constexpr std::array functions{
    function{"contains", 2, 2, contains, R"doc(whether the text, or the item, is in it
"telegram".contains("gram") → true
$json.tags.contains("paid") → true)doc"},
    function{"endsWith", 2, 2, tells<ends_with>, R"doc(whether it ends with the text
"a.pdf".endsWith(".pdf") → true)doc"},
    function{
        "indexOf", 2, 3, index_of, R"doc(where the text is first, -1 nowhere; from a position on
"banana".indexOf("an") → 1
"banana".indexOf("an", 2) → 3)doc"},
    function{
        "lastIndexOf",
        2,
        3,
        last_index_of,
        R"doc(where it is last; beginning no later than at a position
"banana".lastIndexOf("an") → 3
"banana".lastIndexOf("an", 2) → 1)doc"},
    function{"startsWith", 2, 2, tells<starts_with>, R"doc(whether it begins with the text
"/start".startsWith("/") → true)doc"},
};

} // namespace

function_family const search_family{"Searching", functions};

} // namespace postrider::agent::expressions
