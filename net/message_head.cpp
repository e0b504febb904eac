#include "net/message_head.hpp"

#include <algorithm>
#include <charconv>

namespace postrider::net {

namespace {

using base::errc;
using base::error;

bool is_token(std::string_view text) noexcept {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) !=
                   std::string_view::npos;
    });
}

bool is_field_value(std::string_view text) noexcept {
    return std::ranges::none_of(text, [](unsigned char c) {
        return (c < 0x20 && c != '\t') || c == 0x7f;
    });
}

bool is_target(std::string_view text) noexcept {
    return text.starts_with('/') && std::ranges::all_of(text, [](unsigned char c) {
               return c > 0x20 && c < 0x7f && c != '#';
           });
}

bool frames(std::string_view name) noexcept {
    return equals_without_case(name, "Content-Length") || equals_without_case(name, "Connection") ||
           equals_without_case(name, "Transfer-Encoding");
}

void append_number(std::string& out, std::size_t number) {
    char digits[20];
    auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
    out.append(digits, end);
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
    out.append(name).append(": ").append(value).append("\r\n");
}

void append_length(std::string& out, std::size_t length) {
    out.append("Content-Length: ");
    append_number(out, length);
    out.append("\r\n");
}

void append_body_framing(std::string& out, http_response const& answer, bool http_1_0) {
    // RFC 9110 8.6: no length with 204; with 304 it would speak of another body.
    if (answer.status == 204 || answer.status == 304) return;
    if (!answer.stream.produce)
        append_length(out, answer.content().size());
    else if (!http_1_0)
        append_field(out, "Transfer-Encoding", "chunked");
}

// False when a field cannot be written.
bool append_fields(std::string& out, header_list const& fields) {
    for (auto const& [name, value] : fields) {
        if (!fits_header(name, value)) return false;
        if (!frames(name)) append_field(out, name, value);
    }
    return true;
}

} // namespace

bool fits_header(std::string_view name, std::string_view value) noexcept {
    return is_token(name) && is_field_value(value);
}

base::result<void> append_response_head(
    std::string& out,
    http_response const& answer,
    std::string_view request_id,
    response_framing framing
) {
    auto const before = out.size();
    out.append("HTTP/1.1 ");
    append_number(out, static_cast<std::size_t>(answer.status));
    out.append(" ").append(reason_phrase(answer.status)).append("\r\n");
    if (!append_fields(out, answer.headers)) {
        out.resize(before);
        return error(errc::invalid, "a header field of the answer is malformed");
    }
    append_field(out, "X-Request-Id", request_id);
    append_body_framing(out, answer, framing.http_1_0);
    if (!framing.keep_alive)
        append_field(out, "Connection", "close");
    else if (framing.http_1_0)
        append_field(out, "Connection", "keep-alive");
    out.append("\r\n");
    return {};
}

base::result<void> append_request_head(
    std::string& out, request_line const& line, header_list const& fields, std::size_t body_size
) {
    if (!is_token(line.method)) return error(errc::invalid, "malformed method");
    if (!is_target(line.target)) return error(errc::invalid, "malformed target");
    auto const before = out.size();
    out.append(line.method).append(" ").append(line.target).append(" HTTP/1.1\r\n");
    if (fields.count("Host") == 0) append_field(out, "Host", line.host);
    if (!append_fields(out, fields)) {
        out.resize(before);
        return error(errc::invalid, "a header field of the request is malformed");
    }
    if (fields.count("User-Agent") == 0) append_field(out, "User-Agent", "postrider");
    if (body_size > 0 || (line.method != "GET" && line.method != "HEAD"))
        append_length(out, body_size);
    out.append("\r\n");
    return {};
}

} // namespace postrider::net
