#include "agent/tools/http_answer.hpp"

#include "agent/formats/charset.hpp"
#include "agent/tools/html_text.hpp"
#include "base/ascii.hpp"
#include "base/json/nul.hpp"
#include "base/names.hpp"
#include "base/time_slice.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postrider::agent {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t page_piece = 16u << 10; // read at once
constexpr std::size_t header_bytes = 500;     // shown of one header

constexpr std::array shown_headers{
    "content-type"sv,
    "location"sv,
    "last-modified"sv,
    "etag"sv,
    "retry-after"sv,
    "allow"sv,
    "link"sv,
    "www-authenticate"sv};
constexpr std::array shown_families{"x-ratelimit-"sv, "ratelimit"sv};
// That models see.
constexpr std::array images{"image/png"sv, "image/jpeg"sv, "image/gif"sv, "image/webp"sv};
constexpr std::array texts{
    "application/json"sv,
    "application/xml"sv,
    "application/javascript"sv,
    "application/ecmascript"sv,
    "application/x-ndjson"sv,
    "application/yaml"sv,
    "application/toml"sv,
    "application/sql"sv,
    "application/x-www-form-urlencoded"sv};

bool is_shown(std::string_view header) {
    return base::is_among(shown_headers, header) ||
           std::ranges::any_of(shown_families, [header](auto family) {
               return header.starts_with(family);
           });
}

std::string media_type_in(std::string_view content_type) {
    auto type = base::to_lower(std::string(content_type.substr(0, content_type.find(';'))));
    auto const last = type.find_last_not_of(" \t");
    type.resize(last == type.npos ? 0 : last + 1);
    return type;
}

bool is_page(std::string_view type) {
    return type == "text/html" || type == "application/xhtml+xml";
}

bool is_text(std::string_view type, std::string_view body) {
    if (type.starts_with("text/") || base::is_among(texts, type)) return true;
    if (type.ends_with("+json") || type.ends_with("+xml")) return type != "image/svg+xml";
    // The server does not say.
    return type.empty() && (base::is_utf8(body) || !formats::charset_of_mark(body).empty());
}

std::string head_of(net::web_answer const& reached, std::string_view asked_url) {
    auto const status = reached.answer.status;
    auto head = fmt::format("HTTP {} {}\n", status, net::reason_phrase(status));
    if (reached.url != asked_url) head += "url: " + reached.url + '\n';
    for (auto const& [name, value] : reached.answer.headers) {
        auto const lower = base::to_lower(name);
        if (is_shown(lower)) head += lower + ": " + base::shortened(value, header_bytes) + '\n';
    }
    return base::as_utf8(std::move(head));
}

// A mark in the body is a part of the text, and goes before what a header or a page says.
std::string charset_in(std::string_view body, std::string_view content_type, bool is_page) {
    auto charset = formats::charset_of_mark(body);
    if (charset.empty()) charset = formats::charset_of(content_type);
    if (charset.empty() && is_page) charset = formats::charset_of_page(body);
    return charset;
}

base::awaitable<std::string> converted(
    std::string body, std::string charset, base::time_slice& slice
) {
    formats::utf8_conversion conversion(std::move(body), charset);
    while (conversion.step())
        if (slice.is_over()) co_await slice.yield();
    co_return conversion.take();
}

base::awaitable<std::string> readable(std::string page, base::time_slice& slice) {
    // A page's reader ignores them, and so do browsers.
    base::drop_nul(page);
    html_text text;
    for (std::string_view rest = page; !rest.empty();) {
        auto const piece = base::cut_at_character(rest, page_piece);
        text.read(piece);
        rest.remove_prefix(piece.size());
        if (slice.is_over()) co_await slice.yield();
    }
    co_return text.finish();
}

} // namespace

std::string media_type_of(net::http_answer const& answer) {
    return media_type_in(answer.headers.find("content-type"));
}

base::awaitable<std::optional<std::string>> answer_text(
    net::http_answer answer, base::clock& clock
) {
    auto const type = media_type_of(answer);
    if (!is_page(type) && !is_text(type, answer.body)) co_return std::nullopt;
    auto charset = charset_in(answer.body, answer.headers.find("content-type"), is_page(type));
    base::time_slice slice(clock);
    auto text = co_await converted(std::move(answer.body), std::move(charset), slice);
    if (is_page(type)) base::drop_nul(text);
    if (base::has_nul(text)) co_return std::nullopt; // which stands in no text
    co_return text;
}

base::awaitable<std::optional<std::string>> readable_text(
    std::string bytes, std::string_view content_type, base::clock& clock
) {
    auto const type = media_type_in(content_type);
    if (!is_page(type) && !is_text(type, bytes)) co_return std::nullopt;
    auto charset = charset_in(bytes, content_type, is_page(type));
    base::time_slice slice(clock);
    auto text = co_await converted(std::move(bytes), std::move(charset), slice);
    if (is_page(type)) text = co_await readable(std::move(text), slice);
    if (base::has_nul(text)) co_return std::nullopt; // which stands in no text
    co_return text;
}

base::awaitable<tool_output> describe_answer(
    net::web_answer reached, std::string_view asked_url, base::clock& clock
) {
    tool_output output(head_of(reached, asked_url));
    auto body = std::move(reached.answer.body);
    auto const content_type = reached.answer.headers.find("content-type");
    auto const type = media_type_in(content_type);
    if (body.empty()) co_return output;
    if (base::is_among(images, type)) {
        output.media.push_back({type, std::move(body)});
        co_return output;
    }
    auto const size = body.size();
    auto const text = co_await readable_text(std::move(body), content_type, clock);
    if (text) {
        output.text += '\n' + *text;
        co_return output;
    }
    output.text += fmt::format(
        "\n[{}, {} bytes, which cannot be shown as text]", type.empty() ? "binary" : type, size
    );
    co_return output;
}

} // namespace postrider::agent
