#pragma once
// The client's address and scheme when proxies stand in between. Pure.
#include "base/error.hpp"
#include "net/http.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

#include <optional>
#include <string>
#include <vector>

namespace postrider::net {

class trusted_proxies {
public:
    // "10.0.0.0/8", "fd00::/8", single addresses, and "unix" for peers of a Unix socket.
    // invalid: names the entry that is none of these.
    static base::result<trusted_proxies> parse(std::vector<std::string> const& entries);

    bool trusts(boost::asio::ip::address const& address) const;
    bool trusts_unix() const noexcept { return unix_; }

    // The nearest address in X-Forwarded-For that no trusted proxy has: walks the hops from the
    // right and stops at the first that is not trusted or not an address. `peer` has connected and
    // is trusted.
    std::string client(std::string_view peer, header_list const& headers) const;

    // Whether the nearest proxy, which has connected and is trusted, says in X-Forwarded-Proto that
    // it was reached by https.
    static bool is_https(header_list const& headers);

    // Both, of a request whose `remote` is the peer.
    void tell_client(http_request& request) const;

private:
    std::vector<boost::asio::ip::network_v4> v4_;
    std::vector<boost::asio::ip::network_v6> v6_;
    bool unix_ = false;
};

// An IPv4 address mapped into IPv6 counts as the IPv4 address.
boost::asio::ip::address unmapped(boost::asio::ip::address const& address);

} // namespace postrider::net
