#pragma once
// HTTP messages as plain values; no Beast type leaves net/.
#include "base/ascii.hpp"
#include "base/clock.hpp"
#include "net/body_stream.hpp"

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::net {

// In order of arrival; names compare without case.
class header_list {
public:
    header_list() = default;
    header_list(std::initializer_list<std::pair<std::string, std::string>> all) : all_(all) {}

    void add(std::string name, std::string value) {
        all_.emplace_back(std::move(name), std::move(value));
    }
    void reserve(std::size_t fields) { all_.reserve(fields); }
    // The first value, or an empty view: an absent and an empty header are the same.
    std::string_view find(std::string_view name) const noexcept;
    std::size_t count(std::string_view name) const noexcept;

    auto begin() const noexcept { return all_.begin(); }
    auto end() const noexcept { return all_.end(); }

private:
    std::vector<std::pair<std::string, std::string>> all_;
};

struct http_request {
    std::string method; // "GET", "POST", …
    std::string path;   // percent-encoded as it came, without the query
    std::string query;  // after '?', as it came
    header_list headers;
    std::string body;       // empty while only the head has been read
    bool truncated = false; // body was longer than the route's limit; this is its beginning
    std::map<std::string, std::string, std::less<>> params; // of the route's pattern, decoded
    std::string remote; // client address, through trusted proxies only
    std::string id;     // request id, echoed as X-Request-Id
    bool https = false; // between the client and a trusted proxy, which says so

    std::string_view param(std::string_view name) const noexcept;
    // The decoded value of a query parameter, or nothing.
    std::string query_value(std::string_view name) const;
};

struct http_response {
    int status = 200;
    header_list headers;
    std::string body;
    bool close = false;      // close the connection after it
    body_stream stream = {}; // with a producer: instead of the body
    // Instead of the body, without a copy: memory that outlives the process' last answer.
    std::string_view lasting_body = {};

    std::string_view content() const noexcept {
        return lasting_body.empty() ? std::string_view(body) : lasting_body;
    }
    static http_response empty(int status) { return {status, {}, {}, false}; }
    static http_response text(int status, std::string body);
    static http_response json(int status, std::string body);
    // RFC 9457: {"type":"about:blank","title":…,"status":…,"code":…,"detail":…}. What
    // the detail quotes of a request need not be UTF-8; the body is.
    static http_response problem(int status, std::string_view code, std::string_view detail);
};

using base::equals_without_case; // as HTTP compares names

// Whether Content-Type names this type, with whatever parameters.
bool has_media_type(header_list const& headers, std::string_view type) noexcept;

// Nothing when a '%' is not followed by two hexadecimal digits, or the text is not UTF-8. A '+' is a
// space only in a query.
std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space = false);
// As a segment of a path or a part of a query: everything but letters, digits and -._~ is encoded.
std::string percent_encoded(std::string_view text);

// A parameter's part is nothing when it cannot be decoded.
struct query_parameter {
    std::optional<std::string> name;
    std::optional<std::string> value; // empty without a '='
};
// "a=1&b" in order, decoded. Bytes that should have been encoded stand for themselves.
std::vector<query_parameter> parse_query(std::string_view query);

// The standard reason phrase, or "<unknown-status>".
std::string_view reason_phrase(int status) noexcept;

} // namespace postrider::net
