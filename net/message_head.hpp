#pragma once
// Writes the heads of messages. Pure.
//
// A field with a line break inside would let its value write the rest of the message, so a head
// with one is refused as a whole: errc::invalid, and `out` is as it was.
#include "base/error.hpp"
#include "net/http.hpp"

#include <string>
#include <string_view>

namespace postrider::net {

// True when a field of this name and value can be written.
bool fits_header(std::string_view name, std::string_view value) noexcept;

struct response_framing {
    bool keep_alive = true;
    bool http_1_0 = false; // of the request: keep-alive must then be said
};

// Adds Connection and how the body is framed (Content-Length; of a stream, Transfer-Encoding); the
// answer's own fields of these names are left out.
base::result<void> append_response_head(
    std::string& out,
    http_response const& answer,
    std::string_view request_id,
    response_framing framing
);

struct request_line {
    std::string_view method;
    std::string_view target;
    std::string_view host; // with the port when it is not the scheme's own
};

// Adds Host, Content-Length and User-Agent unless `fields` has them (Content-Length is always
// ours).
base::result<void> append_request_head(
    std::string& out, request_line const& line, header_list const& fields, std::size_t body_size
);

} // namespace postrider::net
