#include "net/http.hpp"

#include "base/utf8.hpp"

#include <boost/beast/http/status.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/url/encode.hpp>
#include <boost/url/pct_string_view.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>

#include <algorithm>

namespace postrider::net {

namespace http = boost::beast::http;

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

bool has_media_type(header_list const& headers, std::string_view type) noexcept {
    auto named = headers.find("Content-Type");
    named = named.substr(0, named.find(';'));
    while (named.ends_with(' ') || named.ends_with('\t')) named.remove_suffix(1);
    return equals_without_case(named, type);
}

std::string_view http_request::param(std::string_view name) const noexcept {
    auto found = params.find(name);
    return found == params.end() ? std::string_view{} : std::string_view{found->second};
}

std::string http_request::query_value(std::string_view name) const {
    for (auto& [key, value] : parse_query(query))
        if (key == name) return value.value_or("");
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

std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space) {
    auto const encoded = boost::urls::make_pct_string_view({text.data(), text.size()});
    if (!encoded) return std::nullopt;
    boost::urls::encoding_opts options;
    options.space_as_plus = plus_is_space;
    auto decoded = encoded->decode(options);
    if (!base::is_utf8(decoded)) return std::nullopt;
    return decoded;
}

std::string percent_encoded(std::string_view text) {
    return boost::urls::encode({text.data(), text.size()}, boost::urls::unreserved_chars);
}

// Not by boost::urls::params_encoded_view: that refuses the whole query for a single escape or byte
// that is not as RFC 3986 has it.
std::vector<query_parameter> parse_query(std::string_view query) {
    std::vector<query_parameter> parameters;
    while (!query.empty()) {
        auto const pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(pair.size() + 1, query.size()));
        if (pair.empty()) continue;
        auto const name_size = std::min(pair.find('='), pair.size());
        auto const value_begin = std::min(name_size + 1, pair.size());
        parameters.push_back(
            {percent_decode(pair.substr(0, name_size), true),
             percent_decode(pair.substr(value_begin), true)}
        );
    }
    return parameters;
}

std::string_view reason_phrase(int status) noexcept {
    auto const phrase = http::obsolete_reason(http::int_to_status(static_cast<unsigned>(status)));
    return {phrase.data(), phrase.size()};
}

} // namespace postrider::net
