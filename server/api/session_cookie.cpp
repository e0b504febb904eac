#include "server/api/session_cookie.hpp"

#include <fmt/format.h>

namespace postrider::api {

namespace {

// Browsers take a cookie with the prefix only by https, for this host, and for all of its paths.
std::string_view cookie_name(bool https) {
    return https ? "__Host-postrider_session" : "postrider_session";
}

std::string_view without_outer_blanks(std::string_view text) {
    auto const begin = text.find_first_not_of(" \t");
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::string session_cookie_text(std::string_view value, bool https, std::int64_t seconds) {
    return fmt::format(
        "{}={}; Path=/; Max-Age={}; HttpOnly; SameSite=Strict{}",
        cookie_name(https),
        value,
        seconds,
        https ? "; Secure" : ""
    );
}

} // namespace

std::optional<std::string_view> session_cookie(net::header_list const& headers, bool https) {
    std::optional<std::string_view> value;
    for (auto const& [name, all] : headers) {
        if (!net::equals_without_case(name, "Cookie")) continue;
        for (std::string_view rest = all; !rest.empty();) {
            auto const pair = without_outer_blanks(rest.substr(0, rest.find(';')));
            rest.remove_prefix(std::min(rest.size(), rest.find(';')));
            if (!rest.empty()) rest.remove_prefix(1);
            auto const equals = pair.find('=');
            if (equals == pair.npos || pair.substr(0, equals) != cookie_name(https)) continue;
            auto const found = pair.substr(equals + 1);
            if (value && *value != found) return std::string_view{};
            value = found;
        }
    }
    return value;
}

std::string new_session_cookie(
    base::secret const& session, bool https, std::chrono::seconds lifetime
) {
    return session_cookie_text(session.reveal(), https, lifetime.count());
}

std::string no_session_cookie(bool https) {
    return session_cookie_text("", https, 0);
}

} // namespace postrider::api
