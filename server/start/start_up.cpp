#include "server/start/start_up.hpp"

#include "base/log.hpp"
#include "net/system_certificates.hpp"
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

// A demo writes into the database whatever is said to it.
void refuse_other_bots(storage::transaction& tx, std::vector<std::string> const& names) {
    auto others = storage::bot_names(tx);
    std::erase_if(others, [&](auto const& name) {
        return std::ranges::find(names, name) != names.end();
    });
    if (others.empty()) return;
    throw start_failure(fmt::format(
        "this database is no demo's: it has the bot {}, and no bot is configured here\n"
        "Say which by TELEGRAM_BOT_TOKEN or [bots.NAME]; or keep the demo apart: another "
        "DATABASE_URL, or without one another POSTRIDER_DATA",
        fmt::join(others, ", ")
    ));
}

// What a start needs of the database beside its schema.
struct start_rows {
    std::map<std::string, storage::bot_row, std::less<>> bots;
    std::vector<std::string> tools; // of published flows
    base::secret token_key;
};

struct start_step {
    std::string_view doing;
    std::string_view help = {};
};

start_rows find_rows(
    storage::transaction& tx,
    config const& from,
    std::vector<std::string> const& bots,
    base::random_source& random,
    start_step& step
) {
    start_rows rows;
    step = {"install the flows that ship"};
    ship_flows(tx);
    step = {"read the bots' rows"};
    for (auto const& name : bots) {
        base::secret const fresh(base::hex_token(random, 32));
        rows.bots[name] = storage::ensure_bot(tx, name, fresh);
    }
    step = {"read the flows"};
    rows.tools = tools_of_flows(tx);
    step = {"keep the time zone of days", "Does Postgres know budgets.timezone?"};
    storage::keep_timezone(tx, from.timezone);
    step = {"read the key of the API's tokens"};
    rows.token_key = storage::read_token_key(tx);
    step = {"commit what the start has written"};
    return rows;
}

// In one transaction: a connection takes longer than all of its statements.
start_rows prepare_rows(
    storage::database_options const& database,
    config const& from,
    std::vector<std::string> const& bots,
    server::mode mode,
    base::random_source& random
) {
    start_rows rows;
    start_step step{"read the bots' rows"};
    auto const done = storage::run_blocking(database, [&](storage::transaction& tx) {
        if (mode == server::mode::demo) refuse_other_bots(tx, bots);
        rows = find_rows(tx, from, bots, random, step);
    });
    if (!done) give_up(step.doing, done.error(), step.help);
    return rows;
}

// A warning and no more: a flow that has the tool may be published later.
void warn_of_unknown_tools(config const& from, std::vector<std::string> of_flows) {
    for (auto const& unknown : unknown_tools(from, std::move(of_flows)))
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
    // Every client needs them, and Postgres has to be waited for anyway.
    std::jthread const certificates{[] { net::system_certificates(); }};
    auto database = open_local_database(from, "postrider");
    if (!database)
        give_up(
            "start the private Postgres cluster",
            database.error(),
            "Or name one of your own: DATABASE_URL=postgres://…"
        );
    migrate_patiently(database->options);
    auto rows = prepare_rows(database->options, from, bots, mode, random);
    warn_of_unknown_tools(from, std::move(rows.tools));
    if (database->cluster) database->cluster->keep_running();
    return {
        std::move(*database),
        std::move(rows.bots),
        find_admin_token(from, random),
        std::move(rows.token_key)};
}

} // namespace postrider::server
