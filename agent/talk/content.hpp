#pragma once
// What a message consists of, in the words that every messenger understands: a text, something to
// look at, and buttons. A messenger shows what it can; what it must refuse it refuses with a code.
#include "base/async.hpp"
#include "base/error.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

// html: the tags b, i, u, s, code, pre, a and blockquote. markdown: as models write it. A messenger that
// refuses the markup of a text sends the text without it.
enum class text_markup { none, html, markdown };
std::string_view to_string(text_markup markup) noexcept; // "text" for none
text_markup markup_of(std::string_view name) noexcept;   // none for what it does not know

// A press of it comes back as an event (agent/talk/press.hpp), or opens a page.
struct button {
    std::string text;
    std::string data = {}; // 1 to most_button_data bytes; "" = it has a url
    std::string url = {};

    bool operator==(button const&) const = default;
};
using button_rows = std::vector<std::vector<button>>;

inline constexpr std::size_t most_button_data = 64; // bytes

enum class media_kind { photo, document };

// A file that the messenger does not have. What it has to wait for is bounded by whoever gives it.
struct upload {
    std::string name;
    std::string type; // "image/png"
    std::function<base::awaitable<base::result<std::string>>()>
        load; // its bytes; may be called again
};

struct media {
    media_kind kind = media_kind::photo;
    // A URL, or the messenger's own id of a file that it has; of an upload, what records call it.
    std::string source;
    std::optional<agent::upload> upload = {};
};

struct message_content {
    std::string text; // of media: its caption, may be empty
    text_markup markup = text_markup::none;
    std::optional<agent::media> media = {};
    button_rows buttons = {};
    // Of the first link. Whoever shows it fetches the page, and learns what the address says.
    bool link_preview = false;
};

// {"text", "markup"?, "media"?: {"kind", "source"}, "buttons"?: [[{"text", "data" or "url"}]], "link_preview"?}
boost::json::object to_json(message_content const& content);
boost::json::array to_json(button_rows const& buttons);
// Tolerant: what is no button is left out.
button_rows buttons_from(boost::json::value const& rows_json);

// What no messenger takes: neither text nor media (unless `only_buttons`), a button without a text,
// or with not exactly one of data and url, or with too much data. Nothing: it can be tried.
std::optional<base::error> content_violation(
    message_content const& content, bool only_buttons = false
);

// The text that a reader sees of html; of what is not well-formed, without what looks like a tag.
std::string without_markup(std::string_view html);

} // namespace postrider::agent
