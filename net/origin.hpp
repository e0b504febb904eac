#pragma once
// scheme://host[:port] or unix:/path, taken apart.
#include "base/error.hpp"

#include <string>
#include <string_view>

namespace postrider::net {

struct origin {
    bool tls = false;
    std::string host;      // for the resolver and the certificate; IPv6 without brackets
    std::string port;      // the scheme's own when none is given
    std::string authority; // for the Host field
    std::string unix_path; // of a local socket, spoken to without TLS; empty = TCP
};

// invalid: neither http(s) nor unix:/path, or anything beyond host and port.
base::result<origin> parse_origin(std::string_view text);

} // namespace postrider::net
