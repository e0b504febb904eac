#include "server/api/console_link.hpp"

#include <fmt/format.h>

namespace postrider::api {

new_link make_link(
    storage::transaction& tx, base::secret token, storage::token_role role, user_id user
) {
    auto expires_at = storage::add_console_link(tx, {user, role, hash_of(token)});
    return {std::move(token), std::move(expires_at)};
}

std::string console_base(std::string_view public_url, std::string_view address) {
    constexpr std::string_view all_v4 = "0.0.0.0:";
    constexpr std::string_view all_v6 = "[::]:";
    while (public_url.ends_with('/')) public_url.remove_suffix(1);
    if (!public_url.empty()) return std::string(public_url);
    if (address.starts_with("unix:")) return {};
    // A server that listens to everything is reached at this machine's own address.
    if (address.starts_with(all_v4))
        return fmt::format("http://127.0.0.1:{}", address.substr(all_v4.size()));
    if (address.starts_with(all_v6))
        return fmt::format("http://[::1]:{}", address.substr(all_v6.size()));
    return fmt::format("http://{}", address);
}

std::string url_of(std::string_view base, base::secret const& token, std::string_view page) {
    return fmt::format("{}/console{}#login={}", base, page, token.reveal());
}

} // namespace postrider::api
