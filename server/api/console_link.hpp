#pragma once
// One-time links to the console. The token stands behind the '#': a browser sends that part to no
// server, so no log of a proxy has it.
#include "base/secret.hpp"
#include "server/api/token_mint.hpp"
#include "storage/stores/console.hpp"

#include <string>
#include <string_view>

namespace postrider::api {

struct new_link {
    base::secret token;
    std::string expires_at; // in ISO 8601, UTC
};

// Of a token of the kind `link`. Throws as transaction::query() does.
new_link make_link(
    storage::transaction& tx, base::secret token, storage::token_role role, user_id user
);

// Where browsers reach the server, without a slash at the end: the public URL, or else the address
// where it listens. Empty where that is a Unix socket. Pure.
std::string console_base(std::string_view public_url, std::string_view address);

// BASE/consolePAGE#login=TOKEN: the page is shown after the login. It is as secret as the token. Pure.
std::string url_of(std::string_view base, base::secret const& token, std::string_view page = {});

} // namespace postrider::api
