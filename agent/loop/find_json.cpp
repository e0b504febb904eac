#include "agent/loop/find_json.hpp"

#include "base/json/json.hpp"

namespace postrider::agent {

namespace json = boost::json;

namespace {

// Beginnings that are tried. A text of nothing but brackets costs so many passes over it.
constexpr int most_tries = 200;

// Behind the bracket that closes the one at `start`; npos when none does.
std::size_t end_of(std::string_view text, std::size_t start) {
    int depth = 0;
    bool quoted = false;
    for (auto at = start; at < text.size(); ++at) {
        auto const c = text[at];
        if (quoted) {
            if (c == '\\')
                ++at;
            else if (c == '"')
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            return at + 1;
        }
    }
    return text.npos;
}

std::string_view without_blanks(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    auto const first = text.find_first_not_of(blank);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

} // namespace

std::optional<json::value> find_json(
    std::string_view text, std::function<bool(json::value const&)> const& is_preferred
) {
    if (auto whole = base::parse_json(without_blanks(text))) return std::move(*whole);
    std::optional<json::value> longest;
    std::size_t length = 0;
    int tries = 0;
    for (auto at = text.find_first_of("{["); at != text.npos && tries < most_tries; ++tries) {
        auto const end = end_of(text, at);
        auto next = at + 1;
        if (end != text.npos)
            if (auto value = base::parse_json(text.substr(at, end - at))) {
                if (is_preferred(*value)) return std::move(*value);
                if (end - at > length) {
                    longest = std::move(*value);
                    length = end - at;
                }
                next = end; // what is within it is a part of it
            }
        at = text.find_first_of("{[", next);
    }
    return longest;
}

} // namespace postrider::agent
