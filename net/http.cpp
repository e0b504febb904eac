#include "net/http.hpp"

#include "base/utf8.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>

namespace postrider::net {

namespace {

constexpr char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

constexpr int hex_value(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    auto letter = lower(c);
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

struct phrase {
    int status;
    std::string_view text;
};

// Sorted: RFC 9110 and RFC 6585.
constexpr std::array phrases{
    phrase{100, "Continue"},
    phrase{101, "Switching Protocols"},
    phrase{200, "OK"},
    phrase{201, "Created"},
    phrase{202, "Accepted"},
    phrase{203, "Non-Authoritative Information"},
    phrase{204, "No Content"},
    phrase{205, "Reset Content"},
    phrase{206, "Partial Content"},
    phrase{300, "Multiple Choices"},
    phrase{301, "Moved Permanently"},
    phrase{302, "Found"},
    phrase{303, "See Other"},
    phrase{304, "Not Modified"},
    phrase{307, "Temporary Redirect"},
    phrase{308, "Permanent Redirect"},
    phrase{400, "Bad Request"},
    phrase{401, "Unauthorized"},
    phrase{402, "Payment Required"},
    phrase{403, "Forbidden"},
    phrase{404, "Not Found"},
    phrase{405, "Method Not Allowed"},
    phrase{406, "Not Acceptable"},
    phrase{407, "Proxy Authentication Required"},
    phrase{408, "Request Timeout"},
    phrase{409, "Conflict"},
    phrase{410, "Gone"},
    phrase{411, "Length Required"},
    phrase{412, "Precondition Failed"},
    phrase{413, "Content Too Large"},
    phrase{414, "URI Too Long"},
    phrase{415, "Unsupported Media Type"},
    phrase{416, "Range Not Satisfiable"},
    phrase{417, "Expectation Failed"},
    phrase{421, "Misdirected Request"},
    phrase{422, "Unprocessable Content"},
    phrase{426, "Upgrade Required"},
    phrase{428, "Precondition Required"},
    phrase{429, "Too Many Requests"},
    phrase{431, "Request Header Fields Too Large"},
    phrase{500, "Internal Server Error"},
    phrase{501, "Not Implemented"},
    phrase{502, "Bad Gateway"},
    phrase{503, "Service Unavailable"},
    phrase{504, "Gateway Timeout"},
    phrase{505, "HTTP Version Not Supported"},
    phrase{507, "Insufficient Storage"},
    phrase{511, "Network Authentication Required"},
};

} // namespace

std::string_view header_list::find(std::string_view name) const noexcept {
    for (auto const& [key, value] : all_)
        if (equals_without_case(key, name)) return value;
    return {};
}

std::size_t header_list::count(std::string_view name) const noexcept {
    return static_cast<std::size_t>(std::count_if(
        all_.begin(),
        all_.end(),
        [name](auto const& field) { return equals_without_case(field.first, name); }
    ));
}

std::string_view http_request::param(std::string_view name) const noexcept {
    auto found = params.find(name);
    return found == params.end() ? std::string_view{} : std::string_view{found->second};
}

std::string http_request::query_value(std::string_view name) const {
    std::string_view rest = query;
    while (!rest.empty()) {
        auto pair = rest.substr(0, rest.find('&'));
        rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
        auto equals = pair.find('=');
        if (percent_decode(pair.substr(0, equals), true) != name) continue;
        if (equals == std::string_view::npos) return {};
        return percent_decode(pair.substr(equals + 1), true).value_or("");
    }
    return {};
}

http_response http_response::text(int status, std::string body) {
    return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(body), false};
}

http_response http_response::json(int status, std::string body) {
    return {status, {{"Content-Type", "application/json"}}, std::move(body), false};
}

http_response http_response::problem(int status, std::string_view code, std::string_view detail) {
    boost::json::object body{{"type", "about:blank"}};
    body["title"] = boost::json::string_view(reason_phrase(status));
    body["status"] = status;
    body["code"] = boost::json::string_view(code);
    body["detail"] = boost::json::string_view(detail);
    return {
        status,
        {{"Content-Type", "application/problem+json"}},
        base::as_utf8(boost::json::serialize(body)),
        false,
    };
}

bool equals_without_case(std::string_view a, std::string_view b) noexcept {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
               return lower(x) == lower(y);
           });
}

std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space) {
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%') {
            if (i + 2 >= text.size()) return std::nullopt;
            auto high = hex_value(text[i + 1]);
            auto low = hex_value(text[i + 2]);
            if (high < 0 || low < 0) return std::nullopt;
            decoded += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            decoded += plus_is_space && text[i] == '+' ? ' ' : text[i];
        }
    }
    return decoded;
}

std::string_view reason_phrase(int status) noexcept {
    auto found = std::ranges::lower_bound(phrases, status, {}, &phrase::status);
    return found != phrases.end() && found->status == status ? found->text : "Unknown";
}

} // namespace postrider::net
