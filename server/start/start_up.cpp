#include "server/start/start_up.hpp"

#include "base/log.hpp"
#include "server/start/shipped_flows.hpp"
#include "server/start/tool_names.hpp"
#include "storage/migrations.hpp"
#include "storage/stores/tokens.hpp"
#include "storage/stores/usage.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <thread>

namespace postrider::server {

namespace {

using namespace std::chrono_literals;
using base::errc;

constexpr auto patience = 60s;
constexpr auto pause = 2s;

[[noreturn]] void give_up(
    std::string_view doing, base::error const& reason, std::string_view help
) {
    throw start_failure(
        "cannot " + std::string(doing) + ": " + base::to_string(reason) +
        (help.empty() ? "" : "\n" + std::string(help))
    );
}

// A database that starts together with us may need a moment.
void migrate_patiently(storage::database_options const& database) {
    auto const deadline = base::system_clock().steady() + patience;
    while (true) {
        auto done = storage::migrate(database);
        if (done) return;
        bool const may_come = done.error() == errc::unavailable || done.error() == errc::timeout;
        if (!may_come || base::system_clock().steady() > deadline)
            give_up(
                "prepare the database",
                done.error(),
                "Is DATABASE_URL right? `postrider check` tries it."
            );
        base::log::warn("start.waiting_for_database", {{"error", done.error()}});
        std::this_thread::sleep_for(pause);
    }
}

// Those of the database that are not among these.
std::vector<std::string> other_bots(
    storage::transaction& tx, std::vector<std::string> const& names
) {
    auto others = storage::bot_names(tx);
    std::erase_if(others, [&](auto const& name) {
        return std::ranges::find(names, name) != names.end();
    });
    return others;
}

std::map<std::string, storage::bot_row, std::less<>> find_bots(
    storage::database_options const& database,
    std::vector<std::string> const& names,
    server::mode mode,
    base::random_source& random
) {
    std::map<std::string, storage::bot_row, std::less<>> found;
    std::vector<std::string> others;
    auto done = storage::run_blocking(database, [&](storage::transaction& tx) {
        if (mode == server::mode::demo) others = other_bots(tx, names);
        if (!others.empty()) return;
        for (auto const& name : names) {
            base::secret const fresh(base::hex_token(random, 32));
            found[name] = storage::ensure_bot(tx, name, fresh);
        }
    });
    if (!done) give_up("read the bots' rows", done.error(), "");
    if (!others.empty())
        throw start_failure(fmt::format(
            "this database is no demo's: it has the bot {}, and no bot is configured here\n"
            "Say which by TELEGRAM_BOT_TOKEN or [bots.NAME]; or keep the demo apart: another "
            "DATABASE_URL, or without one another POSTRIDER_DATA",
            fmt::join(others, ", ")
        ));
    return found;
}

base::secret find_token_key(storage::database_options const& database) {
    base::secret key;
    auto const done = storage::run_blocking(database, [&](storage::transaction& tx) {
        key = storage::read_token_key(tx);
    });
    if (!done) give_up("read the key of the API's tokens", done.error(), "");
    return key;
}

void keep_calendar(config const& from, storage::database_options const& database) {
    auto const done = storage::run_blocking(database, [&](storage::transaction& tx) {
        storage::keep_timezone(tx, from.timezone);
    });
    if (!done)
        give_up("keep the time zone of days", done.error(), "Does Postgres know budgets.timezone?");
}

// A warning and no more: a flow that has the tool may be published later.
void look_for_tools(config const& from, storage::database_options const& database) {
    std::vector<std::string> known;
    auto const done = storage::run_blocking(database, [&](storage::transaction& tx) {
        known = tools_of_flows(tx);
    });
    if (!done) give_up("read the flows", done.error(), "");
    for (auto const& unknown : unknown_tools(from, std::move(known)))
        base::log::warn(
            "config.unknown_tool", {{"tool", unknown.name}, {"perhaps", unknown.nearest}}
        );
}

} // namespace

base::error cannot(std::string_view doing, base::error const& reason) {
    return {reason.code, "cannot " + std::string(doing) + ": " + reason.detail};
}

base::error cannot_listen(base::error const& reason) {
    return {
        reason.code,
        reason.detail + "; server.listen (--listen, POSTRIDER_LISTEN) names another address"};
}

api::access_secrets secrets_of(prepared const& from) {
    return {from.admin.value, api::token_mint(from.token_key)};
}

prepared prepare(
    config const& from,
    std::vector<std::string> const& bots,
    server::mode mode,
    base::random_source& random
) {
    auto database = open_local_database(from, "postrider");
    if (!database)
        give_up(
            "start the private Postgres cluster",
            database.error(),
            "Or name one of your own: DATABASE_URL=postgres://…"
        );
    migrate_patiently(database->options);
    if (auto shipped = ship_flows(database->options); !shipped)
        give_up("install the flows that ship", shipped.error(), "");
    auto rows = find_bots(database->options, bots, mode, random);
    look_for_tools(from, database->options);
    keep_calendar(from, database->options);
    auto token_key = find_token_key(database->options);
    if (database->cluster) database->cluster->keep_running();
    return {
        std::move(*database),
        std::move(rows),
        find_admin_token(from, random),
        std::move(token_key)};
}

} // namespace postrider::server
