#include "net/origin.hpp"

#include "net/http_client.hpp"
#include "net/listen_socket.hpp"

namespace postrider::net {

namespace {

base::result<origin> parse_unix_origin(std::string_view text) {
    auto address = parse_listen_address(text);
    if (!address) return address.error();
    origin parsed;
    parsed.authority = "localhost"; // a Host field names no path
    parsed.unix_path = std::move(address->unix_path);
    return parsed;
}

} // namespace

base::result<origin> parse_origin(std::string_view text) {
    if (text.starts_with("unix:")) return parse_unix_origin(text);
    auto url = parse_base_url(text);
    if (!url) return url.error();
    if (!url->path.empty() || text.ends_with('/'))
        return base::error(base::errc::invalid, "an origin has no path");

    origin parsed;
    parsed.tls = url->origin.starts_with("https:");
    parsed.authority = url->origin.substr(url->origin.find("://") + 3);
    parsed.port = parsed.tls ? "443" : "80";
    parsed.host = parsed.authority;
    auto const bracket = parsed.host.find(']');
    auto const colon = parsed.host.find(':', bracket == std::string::npos ? 0 : bracket);
    if (colon != std::string::npos) {
        parsed.port = parsed.host.substr(colon + 1);
        parsed.host.resize(colon);
    }
    if (parsed.host.starts_with('[')) parsed.host = parsed.host.substr(1, parsed.host.size() - 2);
    return parsed;
}

} // namespace postrider::net
