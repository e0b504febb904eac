#include "base/ascii.hpp"
#include "base/exact_time.hpp"
#include "net/http_client.hpp"
#include "net/origin.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url.hpp>
#include <boost/url/url_view.hpp>

#include <charconv>

namespace postrider::net {

namespace {

using base::errc;
using base::error;

bool is_port(std::string_view text) {
    std::uint16_t port = 0;
    auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), port);
    return ec == std::errc{} && end == text.data() + text.size() && port != 0;
}

bool are_of_one_origin(std::string_view a, std::string_view b) {
    auto const first = parse_origin(a);
    auto const second = parse_origin(b);
    return first && second && first->tls == second->tls && first->port == second->port &&
           base::to_lower(first->host) == base::to_lower(second->host);
}

} // namespace

base::result<base_url> parse_base_url(std::string_view text) {
    auto parsed = boost::urls::parse_uri({text.data(), text.size()});
    if (!parsed) return error(errc::invalid, "not a URL");
    auto const& url = *parsed;
    auto const scheme = base::to_lower(std::string(url.scheme()));
    if (scheme != "http" && scheme != "https") return error(errc::invalid, "not an http(s) URL");
    if (url.has_userinfo()) return error(errc::invalid, "a URL must not hold user info");
    if (url.has_query() || url.has_fragment())
        return error(errc::invalid, "a base URL must not have a query or a fragment");
    if (url.encoded_host().empty()) return error(errc::invalid, "a URL needs a host");
    if (url.has_port() && !is_port(std::string(url.port())))
        return error(errc::invalid, "there is no such port");

    std::string path{url.encoded_path()};
    while (path.ends_with('/')) path.pop_back();
    auto origin = scheme + "://" + std::string(url.encoded_host());
    if (url.has_port()) origin.append(":").append(std::string(url.port()));
    return base_url{std::move(origin), std::move(path)};
}

base::result<std::string> target_within(base_url const& from, std::string_view reference) {
    error const unreadable{errc::invalid, "is no URL reference"};
    auto const address = from.origin + (from.path.empty() ? "/" : from.path); // `base` points to it
    auto const base = boost::urls::parse_uri(address);
    auto const relative = boost::urls::parse_uri_reference({reference.data(), reference.size()});
    boost::urls::url url;
    if (!base || !relative || !boost::urls::resolve(*base, *relative, url)) return unreadable;
    auto const origin = std::string(url.scheme()) + "://" + std::string(url.encoded_authority());
    if (!are_of_one_origin(origin, from.origin))
        return error(errc::invalid, "leads to another origin");
    // resolve() decodes a path that is whole already.
    bool const is_whole = relative->has_authority() || relative->encoded_path().starts_with('/');
    std::string target{is_whole ? relative->encoded_path() : url.encoded_path()};
    if (target.empty()) target = "/";
    if (url.has_query()) target.append("?").append(std::string(url.encoded_query()));
    return target;
}

std::optional<std::chrono::milliseconds> parse_retry_after(
    std::string_view value, base::sys_time now
) {
    using std::chrono::milliseconds;
    if (value.empty()) return std::nullopt;
    // A longer wait is cut to an hour: nobody outside stops us for days.
    constexpr std::int64_t most_seconds = 3600;
    if (value.find_first_not_of("0123456789") == std::string_view::npos) {
        std::int64_t seconds = 0;
        auto [end, ec] = std::from_chars(value.data(), value.data() + value.size(), seconds);
        if (ec != std::errc{}) seconds = most_seconds;
        return std::chrono::seconds{std::min(seconds, most_seconds)};
    }
    // RFC 9110 5.6.7, the only form that a sender may generate.
    auto const instant = base::parse_exactly(std::string(value), "%a, %d %b %Y %T GMT");
    if (!instant) return std::nullopt;
    auto delay = std::chrono::ceil<milliseconds>(*instant - now);
    return std::clamp<milliseconds>(delay, milliseconds{0}, std::chrono::seconds{most_seconds});
}

} // namespace postrider::net
