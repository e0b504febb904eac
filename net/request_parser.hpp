#pragma once
// Beast's parser, guarded by net/framing.hpp, that writes straight into an http_request.
// For one request; in net/ only, because it names Beast.
#include "net/framing.hpp"
#include "net/router.hpp"

#include <boost/beast/http/basic_parser.hpp>

#include <cstdint>

namespace postrider::net {

class request_parser final : private boost::beast::http::basic_parser<true> {
public:
    request_parser();

    // The whole head, blank line included. Afterwards head() is complete, or there is a refusal.
    refusal parse_head(std::string_view bytes);

    http_request& request() noexcept { return request_; }
    int version() const noexcept { return version_; }
    bool keep_alive() const;
    // It sends its body only when it is told to ("100 Continue").
    bool expects_continue() const;
    // Nothing for a chunked body; 0 for none.
    std::optional<std::uint64_t> declared_length() const;
    // True when the request is complete: no body, or all of it parsed.
    bool done() const { return is_done(); }

    // To be called before parse_body. A longer body ends with parse_state::oversize or is cut.
    void limit_body(std::size_t limit, oversize when) noexcept;

    // The head alone says that the body is beyond the limit and to be refused.
    bool too_long_by_declaration() const;

    enum class parse_state { more, done, malformed, oversize };
    // Appends to request().body. `used` bytes are consumed; with parse_state::more the rest is to be
    // presented again with what follows.
    parse_state parse_body(std::string_view bytes, std::size_t& used);

private:
    using error_code = boost::beast::error_code;
    using view = boost::beast::string_view;

    void
    on_request_impl(boost::beast::http::verb, view method, view target, int version, error_code&)
        override;
    void on_response_impl(int, view, int, error_code&) override;
    void on_field_impl(boost::beast::http::field, view name, view value, error_code& ec) override;
    void on_header_impl(error_code&) override;
    void on_body_init_impl(boost::optional<std::uint64_t> const& length, error_code& ec) override;
    std::size_t on_body_impl(view bytes, error_code& ec) override;
    void on_chunk_header_impl(std::uint64_t size, view extensions, error_code& ec) override;
    std::size_t on_chunk_body_impl(std::uint64_t remain, view bytes, error_code& ec) override;
    void on_finish_impl(error_code&) override;

    http_request request_;
    std::string target_;
    int version_ = 0;
    std::size_t limit_ = 0;
    oversize when_oversize_ = oversize::refuse;
    bool too_long_ = false;
};

} // namespace postrider::net
