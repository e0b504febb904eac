// `token create|list|revoke`: bearer tokens of the HTTP API.
#include "base/clock.hpp"
#include "base/json/text.hpp"
#include "base/random.hpp"
#include "server/api/token_mint.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/listing.hpp"
#include "server/cli/options.hpp"
#include "server/cli/table.hpp"
#include "server/views/token_json.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

std::string minute_or(std::optional<std::string> const& instant, std::string_view otherwise) {
    return instant ? instant->substr(0, 16) + "Z" : std::string(otherwise);
}

std::string token_state(storage::token_row const& token) {
    if (token.revoked_at) return "revoked";
    return token.expired ? "expired" : "active";
}

std::string tokens_text(std::vector<storage::token_row> const& tokens) {
    std::vector<cells> lines;
    for (auto const& token : tokens)
        lines.push_back(
            {base::to_string(token.id),
             base::to_string(token.user),
             std::string(storage::to_string(token.role)),
             token_state(token),
             minute_or(token.created_at, ""),
             minute_or(token.last_used_at, "never"),
             minute_or(token.expires_at, "never"),
             one_line(token.name, 40)}
        );
    return table({"token", "user", "role", "state", "created", "used", "expires", "name"}, lines);
}

struct creation {
    std::int64_t user = 0;
    std::string role;
    std::string name;
    std::string expires_in;
};

void declare_creation(option_parser& parser, creation& args) {
    parser.add_option("--user", args.user, "Whose it is: the user's Telegram id")
        ->required()
        ->check(id_number())
        ->type_name("ID");
    parser
        .add_option(
            "--role", args.role, "owner: everything; editor: flow drafts; reader: looks; user: own"
        )
        ->required()
        ->check(word_of({"owner", "editor", "user", "reader"}))
        ->type_name("ROLE");
    parser.add_option("--name", args.name, "For people: what it is for")->type_name("NAME");
    parser.add_option("--expires-in", args.expires_in, "Such as 90d; never otherwise")
        ->check(some_text())
        ->type_name("DURATION");
}

// invalid: the name or the duration is none that can be kept.
base::result<storage::new_token> token_of(creation const& creation) {
    storage::new_token definition;
    definition.user = user_id{creation.user};
    definition.role = *storage::token_role_from_string(creation.role);
    definition.name = creation.name;
    if (!storage::fits_token_name(definition.name))
        return base::error(
            base::errc::invalid,
            fmt::format("--name has over {} characters", storage::token_name_limit)
        );
    if (creation.expires_in.empty()) return definition;
    auto const lifetime = base::duration_from_text(creation.expires_in);
    if (!lifetime || *lifetime < std::chrono::seconds{1})
        return base::error(base::errc::invalid, "--expires-in is no duration such as 90d or 12h");
    definition.lifetime = std::chrono::duration_cast<std::chrono::seconds>(*lifetime);
    return definition;
}

int create(context const& in, creation const& args) {
    auto definition = token_of(args);
    if (!definition) return usage(in, definition.error().detail);
    base::secret token;
    storage::token_row row;
    int const code = in_new_database(in, "make the token", [&](storage::transaction& tx) {
        api::token_mint const mint(storage::read_token_key(tx));
        token = mint.make_token(base::system_random());
        definition->sha256 = api::hash_of(token);
        row = storage::add_token(tx, *definition);
    });
    if (code != 0) return code;
    if (in.json) {
        auto answer = server::token_json(row);
        answer["token"] = token.reveal();
        in.out << base::json_text(answer) << '\n';
        return 0;
    }
    in.out << token.reveal() << '\n';
    in.err << fmt::format("Token {}; it is not shown again.\n", base::raw(row.id));
    return 0;
}

struct token_listing {
    int limit = 20;
    std::int64_t cursor = 0;
};

void declare_token_list(option_parser& parser, token_listing& args) {
    add_limit(parser, args.limit);
    add_cursor(parser, args.cursor);
}

int list_tokens(context const& in, token_listing const& args) {
    std::vector<storage::token_row> tokens;
    auto const below = args.cursor > 0 ? std::optional(token_id{args.cursor}) : std::nullopt;
    int const code = in_database(in, "read the tokens", [&](storage::transaction& tx) {
        tokens = storage::list_tokens(tx, below, args.limit);
    });
    if (code != 0) return code;
    if (in.json)
        in.out << base::json_text(server::tokens_json(tokens, args.limit)) << '\n';
    else if (tokens.empty())
        in.err << (below ? "There are no more."
                         : "There is no token; `postrider token create` makes one.")
               << '\n';
    else
        in.out << tokens_text(tokens);
    if (std::ssize(tokens) == args.limit) tell_next_page(in, base::to_string(tokens.back().id));
    return 0;
}

struct revocation {
    std::int64_t token = 0;
};

void declare_revocation(option_parser& parser, revocation& args) {
    parser.add_option("ID", args.token, "As `token list` shows it")->required()->check(id_number());
}

int revoke(context const& in, revocation const& args) {
    std::optional<storage::token_row> row;
    int const code = in_database(in, "revoke the token", [&](storage::transaction& tx) {
        row = storage::revoke_token(tx, token_id{args.token});
    });
    if (code != 0) return code;
    if (!row) {
        in.err << fmt::format(
            "postrider: there is no token {}; `postrider token list` shows all.\n", args.token
        );
        return 1;
    }
    if (in.json)
        in.out << base::json_text(server::token_json(*row)) << '\n';
    else
        in.err << fmt::format("Token {} no longer counts.\n", args.token);
    return 0;
}

} // namespace

namespace commands {

extern constinit command const token_create{
    .path = "token create",
    .summary = "Make a token and print it, this once",
    .example = "postrider token create --user 42 --role reader --name dashboard --expires-in 90d",
    .prepare = with_options<declare_creation, create>};

extern constinit command const token_list{
    .path = "token list",
    .summary = "All tokens, newest first",
    .example = "postrider token list",
    .prepare = with_options<declare_token_list, list_tokens>};

extern constinit command const token_revoke{
    .path = "token revoke",
    .summary = "End a token's validity",
    .example = "postrider token revoke 3",
    .prepare = with_options<declare_revocation, revoke>};

} // namespace commands

} // namespace postrider::cli
