#include "agent/formats/html_display.hpp"

#include "base/ascii.hpp"
#include "base/names.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent::formats {

namespace {

using namespace std::string_view_literals;

constexpr std::array unread_elements{
    "script"sv,
    "style"sv,
    "noscript"sv,
    "template"sv,
    "svg"sv,
    "math"sv,
    "iframe"sv,
    "object"sv,
    "canvas"sv,
    "audio"sv,
    "video"sv,
    "select"sv};
constexpr std::array paragraph_elements{
    "p"sv,
    "h1"sv,
    "h2"sv,
    "h3"sv,
    "h4"sv,
    "h5"sv,
    "h6"sv,
    "ul"sv,
    "ol"sv,
    "table"sv,
    "pre"sv,
    "blockquote"sv,
    "figure"sv,
    "form"sv,
    "dl"sv,
    "title"sv,
    "hr"sv};
constexpr std::array line_elements{
    "div"sv,    "br"sv,   "li"sv,      "tr"sv,     "section"sv, "article"sv,    "header"sv,
    "footer"sv, "nav"sv,  "main"sv,    "aside"sv,  "address"sv, "figcaption"sv, "dt"sv,
    "dd"sv,     "body"sv, "caption"sv, "option"sv, "details"sv, "summary"sv,    "fieldset"sv};

bool has_attribute(html_attributes const& attributes, std::string_view name) {
    return std::ranges::any_of(attributes, [&](auto const& entry) { return entry.first == name; });
}

std::string_view without_html_space(std::string_view text) {
    while (!text.empty() && is_html_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_html_space(text.back())) text.remove_suffix(1);
    return text;
}

// Of "color: red; display: none !important" as browsers read it: the last declaration counts.
bool shows_nothing(std::string_view style) {
    bool nothing = false;
    while (!style.empty()) {
        auto const end = std::min(style.find(';'), style.size());
        auto const declaration = style.substr(0, end);
        style.remove_prefix(std::min(end + 1, style.size()));
        auto const colon = declaration.find(':');
        if (colon == declaration.npos) continue;
        if (!base::equals_without_case(without_html_space(declaration.substr(0, colon)), "display"))
            continue;
        auto const value = declaration.substr(colon + 1);
        nothing =
            base::equals_without_case(without_html_space(value.substr(0, value.find('!'))), "none");
    }
    return nothing;
}

} // namespace

std::string_view attribute_of(html_attributes const& attributes, std::string_view name) {
    for (auto const& [key, value] : attributes)
        if (key == name) return value;
    return {};
}

bool is_unread_element(std::string_view name) {
    return base::is_among(unread_elements, name);
}

bool is_hidden_element(html_attributes const& attributes) {
    return has_attribute(attributes, "hidden") || shows_nothing(attribute_of(attributes, "style"));
}

int line_ends_around(std::string_view name) {
    if (base::is_among(paragraph_elements, name)) return 2;
    return base::is_among(line_elements, name) ? 1 : 0;
}

int heading_level(std::string_view name) {
    bool const is_heading = name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6';
    return is_heading ? name[1] - '0' : 0;
}

} // namespace postrider::agent::formats
