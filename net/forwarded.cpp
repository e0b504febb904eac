#include "net/forwarded.hpp"

namespace postrider::net {

namespace ip = boost::asio::ip;

namespace {

std::string_view trimmed(std::string_view text) {
    auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// "192.0.2.1", "192.0.2.1:443", "2001:db8::1", "[2001:db8::1]:443"
std::optional<ip::address> parse_hop(std::string_view text) {
    if (text.starts_with('[')) {
        text = text.substr(1, text.find(']') - 1);
    } else if (auto colon = text.find(':'); colon != std::string_view::npos &&
                                            text.find(':', colon + 1) == std::string_view::npos) {
        text = text.substr(0, colon);
    }
    boost::system::error_code ec;
    auto address = ip::make_address(text, ec);
    if (ec) return std::nullopt;
    return unmapped(address);
}

template<class Network, class Address>
bool contains(Network const& network, Address const& address) {
    return Network(address, network.prefix_length()).canonical() == network.canonical();
}

} // namespace

ip::address unmapped(ip::address const& address) {
    if (address.is_v6() && address.to_v6().is_v4_mapped())
        return ip::make_address_v4(ip::v4_mapped, address.to_v6());
    return address;
}

base::result<trusted_proxies> trusted_proxies::parse(std::vector<std::string> const& entries) {
    trusted_proxies proxies;
    for (auto const& entry : entries) {
        if (entry == "unix") {
            proxies.unix_ = true;
            continue;
        }
        boost::system::error_code ec;
        auto const has_prefix = entry.find('/') != std::string::npos;
        if (entry.find(':') != std::string::npos) {
            auto network = ip::make_network_v6(has_prefix ? entry : entry + "/128", ec);
            proxies.v6_.push_back(network);
        } else {
            auto network = ip::make_network_v4(has_prefix ? entry : entry + "/32", ec);
            proxies.v4_.push_back(network);
        }
        if (ec) return base::error(base::errc::invalid, "not an address range: " + entry);
    }
    return proxies;
}

bool trusted_proxies::trusts(ip::address const& address) const {
    auto const plain = unmapped(address);
    if (plain.is_v4())
        return std::ranges::any_of(v4_, [&](auto const& n) { return contains(n, plain.to_v4()); });
    return std::ranges::any_of(v6_, [&](auto const& n) { return contains(n, plain.to_v6()); });
}

std::string trusted_proxies::client(std::string_view peer, header_list const& headers) const {
    std::string hops;
    for (auto const& [name, value] : headers)
        if (equals_without_case(name, "X-Forwarded-For"))
            hops.append(hops.empty() ? "" : ",").append(value);

    std::string client{peer};
    std::string_view rest = hops;
    while (!rest.empty()) {
        auto comma = rest.rfind(',');
        auto hop = parse_hop(trimmed(rest.substr(comma == std::string_view::npos ? 0 : comma + 1)));
        if (!hop) break;
        client = hop->to_string();
        if (!trusts(*hop) || comma == std::string_view::npos) break;
        rest = rest.substr(0, comma);
    }
    return client;
}

bool trusted_proxies::is_https(header_list const& headers) {
    std::string_view nearest;
    for (auto const& [name, value] : headers)
        if (equals_without_case(name, "X-Forwarded-Proto")) nearest = value;
    if (auto const comma = nearest.rfind(','); comma != nearest.npos)
        nearest.remove_prefix(comma + 1);
    return equals_without_case(trimmed(nearest), "https");
}

void trusted_proxies::tell_client(http_request& request) const {
    request.remote = client(request.remote, request.headers);
    request.https = is_https(request.headers);
}

} // namespace postrider::net
