#include "base/html.hpp"

#include "base/texts.hpp"

#include <array>
#include <utility>

namespace postrider::base {

namespace {

// The ampersand stands first: the others have one.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> entities{
    {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}}};

} // namespace

std::string html_escaped(std::string_view plain) {
    std::string html(plain);
    for (auto const& [character, entity] : entities) replace_all(html, character, entity);
    return html;
}

std::string html_unescaped(std::string html) {
    for (auto at = entities.rbegin(); at != entities.rend(); ++at)
        replace_all(html, at->second, at->first);
    return html;
}

} // namespace postrider::base
