#pragma once
// The guard of request framing: refuses every head that two HTTP parsers could cut differently
// (request smuggling, RFC 9112 section 11.2). Beast 1.81 parses behind it and is more lenient: it
// joins folded lines, takes "Content-Length: 5, 5", takes a Transfer-Encoding other than chunked as
// no body, and lets trailers through.
//
// Pure. Every function returns nothing when all is well, or the reason, fit for the client.
#include "net/http.hpp"

#include <optional>
#include <string_view>

namespace postrider::net {

using refusal = std::optional<std::string_view>;

// Of a head, or of as much of it as has come: every line ends in CRLF, none is a continuation of
// the one before (obs-fold), no control bytes but the tab.
refusal refuse_lines(std::string_view head) noexcept;

// Of a parsed head. The version is 10 or 11.
refusal refuse_request_line(int version, std::string_view method, std::string_view target) noexcept;

// At most one way to find the body's end, one Host, no trailers.
refusal refuse_fields(int version, header_list const& fields) noexcept;

} // namespace postrider::net
