#include "net/answer_parser.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>
#include <limits>

namespace postrider::net {

namespace http = boost::beast::http;

namespace {

// Of all heads of an answer, and of what may wait for its end: the line of a chunk, the trailers.
constexpr std::uint32_t most_framing = 64u << 10;
constexpr std::size_t most_reserved = 64u << 10;

std::string header_text(boost::beast::string_view text) {
    return {text.data(), text.size()};
}

} // namespace

answer_parser::answer_parser(http_call const& call, std::size_t earlier_heads)
    : heads_(earlier_heads),
      limit_(call.answer_limit),
      call_(call) {
    header_limit(most_framing);
    body_limit(boost::none);
    eager(true);
    skip(call.method == "HEAD");
}

answer_parser::parse_state answer_parser::parse(std::string_view bytes, std::size_t& used) {
    used = 0;
    // Beast looks for the end of a chunk's line and of the trailers as long as bytes come.
    auto const needs_more = [bytes, &used] {
        return bytes.size() - used > most_framing ? parse_state::too_large : parse_state::more;
    };
    // See request_parser.cpp: Beast 1.81 asserts that a last chunk does not come in smaller pieces.
    if (is_header_done() && chunked() && bytes.size() < 5) return needs_more();
    error_code ec;
    used = put(boost::asio::buffer(bytes), ec);
    if (too_large_ || ec == http::error::header_limit) return parse_state::too_large;
    if (ec == http::error::need_more) return needs_more();
    if (ec) return parse_state::malformed;
    return is_done() ? parse_state::done : needs_more();
}

answer_parser::parse_state answer_parser::parse_end() {
    if (!got_some()) return parse_state::malformed;
    error_code ec;
    put_eof(ec);
    return !ec && is_done() ? parse_state::done : parse_state::malformed;
}

void answer_parser::on_request_impl(http::verb, view, view, int, error_code&) {}

void answer_parser::on_response_impl(int code, view reason, int, error_code& ec) {
    constexpr std::size_t around_reason = 15; // "HTTP/1.1 200 " and the line's end
    answer_.status = code;
    count_head(reason.size() + around_reason, ec);
}

void answer_parser::on_field_impl(http::field, view name, view value, error_code& ec) {
    constexpr std::size_t around_value = 4; // ": " and the line's end
    // Trailers say nothing that a caller asks for.
    if (is_header_done()) return;
    count_head(name.size() + value.size() + around_value, ec);
    if (!ec) answer_.headers.add(header_text(name), header_text(value));
}

// Beast's limit is of one field, not of the head.
void answer_parser::count_head(std::size_t bytes, error_code& ec) {
    heads_ += bytes;
    if (heads_ > most_framing) ec = http::error::header_limit;
}

void answer_parser::on_header_impl(error_code& ec) {
    // Beast would take an unknown coding for a body that lasts until the connection ends.
    auto const codings = answer_.headers.count("Transfer-Encoding");
    if (codings > 0 && !equals_without_case(answer_.headers.find("Transfer-Encoding"), "chunked"))
        ec = http::error::bad_transfer_encoding;
    if (answer_.headers.count("Content-Length") > 1) ec = http::error::multiple_content_length;
    if (answer_.status < 100 || answer_.status == 101) ec = http::error::bad_status;
    if (is_body_taken() && !call_.endless_type.empty() &&
        has_media_type(answer_.headers, call_.endless_type))
        limit_ = std::numeric_limits<std::size_t>::max();
    if (!ec && call_.take_head && !interim()) call_.take_head(answer_);
}

void answer_parser::on_body_init_impl(
    boost::optional<std::uint64_t> const& length, error_code& ec
) {
    if (!length) return;
    if (*length > limit_) {
        too_large_ = true;
        ec = http::error::body_limit;
        return;
    }
    // No more than has a chance to come: the length may be a lie.
    if (!is_body_taken())
        answer_.body.reserve(std::min(static_cast<std::size_t>(*length), most_reserved));
}

std::size_t answer_parser::on_body_impl(view bytes, error_code& ec) {
    if (bytes.size() > limit_) {
        too_large_ = true;
        ec = http::error::body_limit;
        return 0;
    }
    limit_ -= bytes.size();
    if (is_body_taken())
        call_.take_body({bytes.data(), bytes.size()});
    else
        answer_.body.append(bytes.data(), bytes.size());
    return bytes.size();
}

void answer_parser::on_chunk_header_impl(std::uint64_t, view, error_code&) {}

std::size_t answer_parser::on_chunk_body_impl(std::uint64_t, view bytes, error_code& ec) {
    return on_body_impl(bytes, ec);
}

void answer_parser::on_finish_impl(error_code&) {}

} // namespace postrider::net
