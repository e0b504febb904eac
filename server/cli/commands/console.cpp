// `console link|sessions|revoke`: who may use the console in a browser.
#include "base/json/text.hpp"
#include "base/random.hpp"
#include "server/api/console_link.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/listing.hpp"
#include "server/cli/options.hpp"
#include "server/cli/table.hpp"
#include "server/start/config.hpp"
#include "server/start/part_options.hpp"
#include "server/views/console_json.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

struct link_arguments {
    std::string role = "owner";
    std::int64_t user = 0; // 0 = not said
};

void declare_console_link(option_parser& parser, link_arguments& args) {
    parser.add_option("--role", args.role, "owner: everything; editor: flow drafts; reader: looks")
        ->check(word_of({"owner", "editor", "reader"}))
        ->type_name("ROLE");
    parser.add_option("--user", args.user, "Who acts: the user's Telegram id")
        ->check(id_number())
        ->type_name("ID");
}

// Unless it is said, an owner is the one person whom the owner's token acts as.
user_id person_of_link(link_arguments const& args, server::config const& settings) {
    if (args.user > 0) return user_id{args.user};
    if (args.role != "owner") return {};
    bool const is_demo = server::mode_of(settings, false) == server::mode::demo;
    return is_demo ? server::demo_person : server::person_of_owner(settings.bots);
}

// Where a browser may open it, or why that is not known.
base::result<std::string> base_of_links(server::config const& settings) {
    auto base = api::console_base(settings.public_url, settings.listen);
    if (base.empty())
        return base::error(
            base::errc::invalid,
            "the server listens on a Unix socket: set server.public_url (POSTRIDER_PUBLIC_URL)"
        );
    if (base.ends_with(":0"))
        return base::error(
            base::errc::invalid,
            "server.listen has port 0, any free one: configure the port or server.public_url"
        );
    return base;
}

int make_console_link(context const& in, link_arguments const& args) {
    auto const& settings = in.configured.values;
    auto const base = base_of_links(settings);
    if (!base) return usage(in, base.error().detail);
    auto const role = *storage::token_role_from_string(args.role);
    auto const user = person_of_link(args, settings);
    api::new_link link;
    int const code = in_new_database(in, "make the link", [&](storage::transaction& tx) {
        api::token_mint const mint(storage::read_token_key(tx));
        auto token = mint.make_token(base::system_random(), api::token_kind::link);
        link = api::make_link(tx, std::move(token), role, user);
    });
    if (code != 0) return code;
    auto const url = api::url_of(*base, link.token);
    if (in.json) {
        boost::json::object const answer{
            {"url", url},
            {"role", args.role},
            {"user_id", server::person_or_null(user)},
            {"expires_at", link.expires_at}};
        in.out << base::json_text(answer) << '\n';
        return 0;
    }
    in.out << url << '\n';
    in.err << "Open it in a browser within 15 minutes. It logs in once; until then it is as secret "
              "as a password.\n";
    return 0;
}

std::string sessions_text(std::vector<storage::console_session> const& sessions) {
    std::vector<cells> lines;
    for (auto const& session : sessions)
        lines.push_back(
            {base::to_string(session.id),
             session.user == user_id{} ? "-" : base::to_string(session.user),
             std::string(storage::to_string(session.role)),
             session.created_at.substr(0, 16) + "Z",
             session.last_seen_at.substr(0, 16) + "Z",
             session.expires_at.substr(0, 16) + "Z"}
        );
    return table({"session", "user", "role", "created", "last seen", "expires"}, lines);
}

struct session_listing {
    int limit = 20;
    std::int64_t cursor = 0;
};

void declare_console_sessions(option_parser& parser, session_listing& args) {
    add_limit(parser, args.limit);
    add_cursor(parser, args.cursor);
}

int list_console_sessions(context const& in, session_listing const& args) {
    std::vector<storage::console_session> sessions;
    auto const below =
        args.cursor > 0 ? std::optional(console_session_id{args.cursor}) : std::nullopt;
    int const code = in_database(in, "read the sessions", [&](storage::transaction& tx) {
        sessions = storage::list_console_sessions(tx, {.all = true}, below, args.limit);
    });
    if (code != 0) return code;
    if (in.json)
        in.out << base::json_text(server::console_sessions_json(sessions, args.limit, {})) << '\n';
    else if (sessions.empty())
        in.err << (below ? "There are no more."
                         : "Nobody is logged in; `postrider console link` makes a link.")
               << '\n';
    else
        in.out << sessions_text(sessions);
    if (std::ssize(sessions) == args.limit) tell_next_page(in, base::to_string(sessions.back().id));
    return 0;
}

struct session_revocation {
    std::int64_t session = 0; // 0 = not said
    bool all = false;
};

void declare_console_revoke(option_parser& parser, session_revocation& args) {
    parser.add_option("ID", args.session, "As `console sessions` shows it")->check(id_number());
    parser.add_flag("--all", args.all, "All sessions");
}

int revoke_console_sessions(context const& in, session_revocation const& args) {
    if (args.all == (args.session > 0))
        return usage(in, "either the ID of a session or --all is needed");
    std::int64_t ended = 0;
    int const code = in_database(in, "end the session", [&](storage::transaction& tx) {
        if (args.all)
            ended = storage::revoke_all_console_sessions(tx);
        else if (storage::revoke_console_session(
                     tx, {.all = true}, console_session_id{args.session}
                 ))
            ended = 1;
    });
    if (code != 0) return code;
    if (ended == 0 && !args.all) {
        in.err << fmt::format(
            "postrider: there is no session {}, or it is over; `postrider console sessions` shows "
            "all.\n",
            args.session
        );
        return 1;
    }
    if (in.json)
        in.out << base::json_text(boost::json::object{{"revoked", ended}}) << '\n';
    else
        in.err << fmt::format("{} {} over.\n", ended, ended == 1 ? "session is" : "sessions are");
    return 0;
}

} // namespace

namespace commands {

extern constinit command const console_link{
    .path = "console link",
    .summary = "Make a link that logs in to the console once",
    .example = "postrider console link --role reader --user 42",
    .prepare = with_options<declare_console_link, make_console_link>};

extern constinit command const console_sessions{
    .path = "console sessions",
    .summary = "Browsers that are logged in, newest first",
    .example = "postrider console sessions",
    .prepare = with_options<declare_console_sessions, list_console_sessions>};

extern constinit command const console_revoke{
    .path = "console revoke",
    .summary = "End a session and its streams",
    .example = "postrider console revoke 3\npostrider console revoke --all",
    .prepare = with_options<declare_console_revoke, revoke_console_sessions>};

} // namespace commands

} // namespace postrider::cli
