#include "agent/talk/content.hpp"

#include "base/json/json.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <array>

namespace postrider::agent {

namespace {

namespace json = boost::json;

struct entity {
    std::string_view name;
    char character;
};
constexpr std::array<entity, 4> entities{
    {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}}};

// "<b>", "</b>", "<a href=…>": "a < b" begins none.
bool begins_tag(std::string_view rest) {
    if (rest.size() < 2) return false;
    char const next = rest[1] == '/' && rest.size() > 2 ? rest[2] : rest[1];
    return (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
}

} // namespace

std::string_view to_string(text_markup markup) noexcept {
    if (markup == text_markup::html) return "html";
    return markup == text_markup::markdown ? "markdown" : "text";
}

text_markup markup_of(std::string_view name) noexcept {
    if (name == "html") return text_markup::html;
    return name == "markdown" ? text_markup::markdown : text_markup::none;
}

json::array to_json(button_rows const& buttons) {
    json::array rows;
    for (auto const& row : buttons) {
        json::array cells;
        for (auto const& button : row) {
            json::object cell{{"text", button.text}};
            if (button.url.empty())
                cell["data"] = button.data;
            else
                cell["url"] = button.url;
            cells.push_back(std::move(cell));
        }
        rows.push_back(std::move(cells));
    }
    return rows;
}

json::object to_json(message_content const& content) {
    json::object object{{"text", content.text}};
    if (content.markup != text_markup::none) object["markup"] = to_string(content.markup);
    if (content.media)
        object["media"] = {
            {"kind", content.media->kind == media_kind::photo ? "photo" : "document"},
            {"source", content.media->source}};
    if (!content.buttons.empty()) object["buttons"] = to_json(content.buttons);
    if (content.link_preview) object["link_preview"] = true;
    return object;
}

button_rows buttons_from(json::value const& rows_json) {
    button_rows rows;
    auto const* listed = rows_json.if_array();
    if (!listed) return rows;
    for (auto const& cells : *listed) {
        std::vector<button> row;
        for (auto const& cell : base::json_reader{cells}.items_or_none()) {
            button candidate{
                cell["text"].string_or(""), cell["data"].string_or(""), cell["url"].string_or("")};
            bool const leads_somewhere = !candidate.data.empty() || !candidate.url.empty();
            if (!candidate.text.empty() && leads_somewhere) row.push_back(std::move(candidate));
        }
        if (!row.empty()) rows.push_back(std::move(row));
    }
    return rows;
}

std::optional<base::error> content_violation(message_content const& content, bool only_buttons) {
    using base::errc;
    if (content.text.empty() && !content.media && !only_buttons)
        return base::error(errc::invalid, "a message has a text or media");
    for (auto const& row : content.buttons) {
        for (auto const& button : row) {
            if (button.text.empty()) return base::error(errc::invalid, "a button has a text");
            if (button.data.empty() == button.url.empty())
                return base::error(errc::invalid, "a button has either data or a url");
            if (button.data.size() > most_button_data)
                return base::error(errc::invalid, "a button's data is longer than 64 bytes");
        }
    }
    return std::nullopt;
}

std::string without_markup(std::string_view html) {
    std::string text;
    while (!html.empty()) {
        if (html[0] == '<' && begins_tag(html)) {
            if (auto const end = html.find('>'); end != html.npos) {
                html.remove_prefix(end + 1);
                continue;
            }
        }
        auto const escaped = std::ranges::find_if(entities, [&](auto const& entity) {
            return html.starts_with(entity.name);
        });
        text += escaped == entities.end() ? html[0] : escaped->character;
        html.remove_prefix(escaped == entities.end() ? 1 : escaped->name.size());
    }
    return text;
}

} // namespace postrider::agent
