#pragma once
// Beast's parser that writes into an http_answer. As strict about framing as the server is. No part
// of an answer grows without limit: the heads together, the line of a chunk and the trailers are
// held to 64 KiB each, the body to the call's limit.
// For one answer; in net/ only, because it names Beast.
#include "net/http_client.hpp"

#include <boost/beast/http/basic_parser.hpp>

namespace postrider::net {

class answer_parser final : private boost::beast::http::basic_parser<false> {
public:
    // The call outlives it. Of an answer behind interim answers: how long their heads were.
    explicit answer_parser(http_call const& call, std::size_t earlier_heads = 0);

    enum class parse_state { more, done, malformed, too_large };
    // `used` bytes are consumed; with parse_state::more the rest is to be presented again.
    parse_state parse(std::string_view bytes, std::size_t& used);
    // The connection has ended: done when that is how the body ends, malformed when it was cut.
    parse_state parse_end();

    http_answer& answer() noexcept { return answer_; }
    std::size_t heads() const noexcept { return heads_; }
    // 1xx: another answer follows.
    bool interim() const noexcept { return answer_.status / 100 == 1; }
    bool keep_alive() const { return basic_parser::keep_alive(); }

private:
    using error_code = boost::beast::error_code;
    using view = boost::beast::string_view;

    void on_request_impl(boost::beast::http::verb, view, view, int, error_code&) override;
    void on_response_impl(int code, view reason, int version, error_code&) override;
    void on_field_impl(boost::beast::http::field, view name, view value, error_code& ec) override;
    void on_header_impl(error_code& ec) override;
    void on_body_init_impl(boost::optional<std::uint64_t> const& length, error_code& ec) override;
    std::size_t on_body_impl(view bytes, error_code& ec) override;
    void on_chunk_header_impl(std::uint64_t size, view extensions, error_code& ec) override;
    std::size_t on_chunk_body_impl(std::uint64_t remain, view bytes, error_code& ec) override;
    void on_finish_impl(error_code&) override;

    void count_head(std::size_t bytes, error_code& ec);
    bool is_body_taken() const noexcept { return call_.take_body && answer_.status == 200; }

    http_answer answer_;
    std::size_t heads_;
    std::size_t limit_; // of the body that is still to come
    http_call const& call_;
    bool too_large_ = false;
};

} // namespace postrider::net
