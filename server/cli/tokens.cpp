// `token create|list|revoke`: bearer tokens of the HTTP API.
#include "base/clock.hpp"
#include "base/json_text.hpp"
#include "base/random.hpp"
#include "server/api/authentication.hpp"
#include "server/cli/command.hpp"
#include "server/cli/migrated.hpp"
#include "server/cli/table.hpp"
#include "server/views/token_json.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

std::string minute_of(std::optional<std::string> const& instant, std::string_view otherwise) {
    return instant ? instant->substr(0, 16) + "Z" : std::string(otherwise);
}

std::string state_of(storage::token_row const& token) {
    if (token.revoked_at) return "revoked";
    return token.expired ? "expired" : "active";
}

std::string to_text(std::vector<storage::token_row> const& tokens) {
    std::vector<cells> lines;
    for (auto const& each : tokens)
        lines.push_back(
            {base::to_string(each.id),
             base::to_string(each.user),
             std::string(storage::to_string(each.role)),
             state_of(each),
             minute_of(each.created_at, ""),
             minute_of(each.last_used_at, "never"),
             minute_of(each.expires_at, "never"),
             one_line(each.name, 40)}
        );
    return table({"token", "user", "role", "state", "created", "used", "expires", "name"}, lines);
}

// invalid: the name or the duration is none that can be kept.
base::result<storage::new_token> token_of(arguments const& from) {
    storage::new_token definition;
    definition.user = user_id{from.user};
    definition.role = *storage::token_role_from_string(from.role);
    definition.name = from.name;
    if (!storage::fits_token_name(definition.name))
        return base::error(
            base::errc::invalid,
            fmt::format("--name has over {} characters", storage::token_name_limit)
        );
    if (from.expires_in.empty()) return definition;
    auto const lifetime = base::duration_from_text(from.expires_in);
    if (!lifetime || *lifetime < std::chrono::seconds{1})
        return base::error(base::errc::invalid, "--expires-in is no duration such as 90d or 12h");
    definition.lifetime = std::chrono::duration_cast<std::chrono::seconds>(*lifetime);
    return definition;
}

} // namespace

int token_create(context const& in) {
    auto definition = token_of(in.args);
    if (!definition) {
        in.err << fmt::format("postrider: {}\n", definition.error().detail);
        return 2;
    }
    auto const token = api::make_token(base::system_random());
    definition->sha256 = api::hash_of(token);
    storage::token_row row;
    int const code =
        in_migrated(in, "postrider token", "make the token", [&](storage::transaction& tx) {
            row = storage::add_token(tx, *definition);
        });
    if (code != 0) return code;
    if (in.args.json) {
        auto answer = server::token_json(row);
        answer["token"] = token.reveal();
        in.out << base::json_text(answer) << '\n';
        return 0;
    }
    in.out << token.reveal() << '\n';
    in.err << fmt::format("Token {}; it is not shown again.\n", base::raw(row.id));
    return 0;
}

int token_list(context const& in) {
    std::vector<storage::token_row> tokens;
    int const code =
        in_migrated(in, "postrider token", "read the tokens", [&](storage::transaction& tx) {
            tokens = storage::list_tokens(tx);
        });
    if (code != 0) return code;
    if (in.args.json) {
        boost::json::array all;
        for (auto const& each : tokens) all.push_back(server::token_json(each));
        boost::json::object answer{{"tokens", std::move(all)}};
        in.out << base::json_text(answer) << '\n';
    } else if (tokens.empty()) {
        in.err << "There is no token.\n";
    } else {
        in.out << to_text(tokens);
    }
    return 0;
}

int token_revoke(context const& in) {
    std::optional<storage::token_row> row;
    int const code =
        in_migrated(in, "postrider token", "revoke the token", [&](storage::transaction& tx) {
            row = storage::revoke_token(tx, token_id{in.args.token});
        });
    if (code != 0) return code;
    if (!row) {
        in.err << fmt::format(
            "postrider: there is no token {}; `postrider token list` shows all.\n", in.args.token
        );
        return 1;
    }
    if (in.args.json)
        in.out << base::json_text(server::token_json(*row)) << '\n';
    else
        in.err << fmt::format("Token {} no longer counts.\n", in.args.token);
    return 0;
}

} // namespace postrider::cli
