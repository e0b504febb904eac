#include "net/request_parser.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>

#include <limits>

namespace postrider::net {

namespace http = boost::beast::http;

namespace {

// "0\r\n\r\n". Beast 1.81 asserts that it gets as much at once when a body's only chunk is the last
// one and comes in pieces; every chunked body has these bytes ahead of it until it is complete.
constexpr std::size_t shortest_last_chunk = 5;

std::string request_text(boost::beast::string_view text) {
    return {text.data(), text.size()};
}

} // namespace

request_parser::request_parser() {
    // Limits are ours: the session bounds the head, limit_body() the body.
    header_limit(std::numeric_limits<std::uint32_t>::max());
    body_limit(boost::none);
}

refusal request_parser::parse_head(std::string_view bytes) {
    if (auto refused = refuse_lines(bytes)) return refused;
    request_.headers.reserve(16);
    error_code ec;
    auto used = put(boost::asio::buffer(bytes), ec);
    if (ec || !is_header_done() || used != bytes.size()) return "malformed head";
    if (auto refused = refuse_request_line(version_, request_.method, target_)) return refused;
    if (auto refused = refuse_fields(version_, request_.headers)) return refused;

    auto question = target_.find('?');
    if (question != std::string::npos) {
        request_.query = target_.substr(question + 1);
        target_.resize(question);
    }
    request_.path = std::move(target_);
    return std::nullopt;
}

bool request_parser::keep_alive() const {
    return basic_parser::keep_alive();
}

bool request_parser::expects_continue() const {
    return version_ == 11 && equals_without_case(request_.headers.find("Expect"), "100-continue");
}

std::optional<std::uint64_t> request_parser::declared_length() const {
    if (chunked()) return std::nullopt;
    return content_length().value_or(0);
}

void request_parser::limit_body(std::size_t limit, oversize when) noexcept {
    limit_ = limit;
    when_oversize_ = when;
}

bool request_parser::too_long_by_declaration() const {
    return when_oversize_ == oversize::refuse && declared_length().value_or(0) > limit_;
}

request_parser::parse_state request_parser::parse_body(std::string_view bytes, std::size_t& used) {
    used = 0;
    if (chunked() && bytes.size() < shortest_last_chunk) return parse_state::more;
    eager(true);
    error_code ec;
    used = put(boost::asio::buffer(bytes), ec);
    if (too_long_) return parse_state::oversize;
    if (ec == http::error::need_more) return parse_state::more;
    if (ec) return parse_state::malformed;
    return is_done() ? parse_state::done : parse_state::more;
}

void request_parser::
    on_request_impl(http::verb, view method, view target, int version, error_code&) {
    request_.method = request_text(method);
    target_ = request_text(target);
    version_ = version;
}

void request_parser::on_response_impl(int, view, int, error_code&) {}

void request_parser::on_field_impl(http::field, view name, view value, error_code& ec) {
    // A field after the body is a trailer: no route wants one, and merging it is how smuggling
    // works.
    if (is_header_done()) {
        ec = http::error::bad_field;
        return;
    }
    request_.headers.add(request_text(name), request_text(value));
}

void request_parser::on_header_impl(error_code&) {}

void request_parser::on_body_init_impl(boost::optional<std::uint64_t> const& length, error_code&) {
    if (length) request_.body.reserve(std::min<std::size_t>(*length, limit_));
}

std::size_t request_parser::on_body_impl(view bytes, error_code& ec) {
    auto room = limit_ - request_.body.size();
    if (bytes.size() > room && when_oversize_ == oversize::refuse) {
        too_long_ = true;
        ec = http::error::body_limit;
        return 0;
    }
    if (bytes.size() > room) request_.truncated = true;
    request_.body.append(bytes.data(), std::min(bytes.size(), room));
    return bytes.size();
}

void request_parser::on_chunk_header_impl(std::uint64_t, view extensions, error_code& ec) {
    // Nobody sends one honestly, and proxies differ about where it ends.
    if (!extensions.empty()) ec = http::error::bad_chunk_extension;
}

std::size_t request_parser::on_chunk_body_impl(std::uint64_t, view bytes, error_code& ec) {
    return on_body_impl(bytes, ec);
}

void request_parser::on_finish_impl(error_code&) {}

} // namespace postrider::net
