#pragma once
// Which addresses are the internet's: the egress predicate for whatever a stranger or a model may
// have named. Pure.
#include <boost/asio/ip/address.hpp>

namespace postrider::net {

// False for everything that IANA's special-purpose registries keep from global use: this host and
// network, private, shared (carrier) and link-local networks with their metadata services,
// loopback, documentation, benchmarking, multicast and reserved ones, broadcast; in IPv6 also unique
// local addresses and those that hide an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo).
bool is_public(boost::asio::ip::address const& address);

} // namespace postrider::net
