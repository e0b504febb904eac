#include "server/start/start_up.hpp"

#include "agent/flow/nodes/embedding_job.hpp"
#include "agent/knowledge/ingest_job.hpp"
#include "agent/knowledge/part_vectors.hpp"
#include "agent/recall/vectors.hpp"
#include "base/log.hpp"
#include "base/texts.hpp"
#include "server/start/part_options.hpp"
#include "server/start/shipped_flows.hpp"
#include "server/start/stop_signals.hpp"
#include "server/start/tool_names.hpp"
#include "storage/migrations.hpp"
#include "storage/refusals.hpp"
#include "storage/stores/tokens.hpp"
#include "storage/stores/usage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace postrider::server {

namespace {

using namespace std::chrono_literals;
using base::errc;

constexpr auto longest_wait = 60s;
constexpr auto start_pause = 2s;

struct start_step {
    std::string_view doing;
    std::string_view help = {};
};

[[noreturn]] void give_up(start_step const& step, base::error const& reason) {
    throw start_failure(
        "cannot " + std::string(step.doing) + ": " + base::to_string(reason) +
        (step.help.empty() ? "" : "\n" + std::string(step.help))
    );
}

std::string help_with(local_database const& database, config const& settings) {
    if (!database.cluster) return "Is DATABASE_URL right? `postrider check` tries it.";
    return "It is the private Postgres in " + (settings.data / "postgres").string() +
           "; POSTRIDER_DATA names another folder.";
}

// A database that starts together with us may need a moment, and a standby may be promoted. What a
// server answers to writes until somebody does something about it is told at once, and once.
class patience {
public:
    // Returns when it is worth another try.
    void wait_after(base::error const& reason, start_step const& step) {
        bool const may_come = reason == errc::unavailable || reason == errc::timeout;
        auto const refusal = storage::lasting_refusal(reason);
        if (!may_come) give_up(step, reason);
        bool const is_late = base::system_clock().steady() > deadline_;
        if (is_late && refusal) give_up({step.doing, refusal_help}, {reason.code, *refusal});
        if (is_late) give_up(step, reason);
        if (refusal)
            tell(*refusal);
        else
            base::log::warn("start.waiting_for_database", {{"error", reason}});
        pause_start(start_pause);
    }

private:
    static constexpr std::string_view refusal_help =
        "The database answers but refuses writes; `postrider doctor` shows how to fix it.";

    void tell(std::string const& refusal) {
        if (std::exchange(told_, refusal) == refusal) return;
        base::log::warn(
            "start.database_refuses",
            {{"reason", refusal},
             {"waits", longest_wait},
             {"advice", "`postrider doctor` shows how to fix it"}}
        );
    }

    base::steady_time const deadline_ = base::system_clock().steady() + longest_wait;
    std::string told_;
};

template<class Work>
void repeat_until_done(patience& left, start_step const& step, Work work) {
    for (auto done = work(); !done; done = work()) left.wait_after(done.error(), step);
}

// A demo writes into the database whatever is said to it.
void refuse_other_bots(storage::transaction& tx, std::vector<std::string> const& names) {
    auto other_bots = storage::bot_names(tx);
    std::erase_if(other_bots, [&](auto const& name) {
        return std::ranges::find(names, name) != names.end();
    });
    if (other_bots.empty()) return;
    throw start_failure(fmt::format(
        "this database is not a demo's: it has the bot {}, and no bot is configured here\n"
        "Configure the bot by TELEGRAM_BOT_TOKEN or [bots.NAME]. To run a demo, use another "
        "DATABASE_URL or, without one, another POSTRIDER_DATA.",
        base::joined(other_bots, ", ")
    ));
}

// What a start needs of the database beside its schema.
struct start_rows {
    std::map<std::string, storage::bot_row, std::less<>> bots;
    std::vector<std::string> tools; // of published flows
    base::secret token_key;
    std::optional<agent::recall::vector_state> vectors; // where embeddings are configured
};

start_rows find_rows(
    storage::transaction& tx,
    config const& settings,
    std::vector<std::string> const& bots,
    base::random_source& random,
    start_step& step
) {
    start_rows rows;
    step = {"install the flows that ship"};
    ship_flows(tx, settings.chatbot);
    step = {"read the bots' rows"};
    for (auto const& name : bots) {
        base::secret const fresh(base::hex_token(random, 32));
        rows.bots[name] = storage::ensure_bot(tx, name, fresh);
    }
    step = {"read the flows"};
    rows.tools = tools_of_flows(tx);
    step = {"keep the time zone of days", "Does Postgres know budgets.timezone?"};
    storage::keep_timezone(tx, settings.timezone);
    step = {"read the key of the API's tokens"};
    rows.token_key = storage::read_token_key(tx);
    if (settings.embeddings) {
        step = {"make the table of vectors"};
        agent::recall::vector_model const model{
            agent::name_of(*settings.embeddings), settings.embeddings->dimension};
        rows.vectors = agent::recall::prepare_vectors(tx, model);
        // Of a model that was configured since, or left by a job that failed.
        bool const has_vectors = rows.vectors == agent::recall::vector_state::ready;
        if (has_vectors) agent::knowledge::prepare_part_vectors(tx, model);
        if (has_vectors && agent::recall::wants_vectors(tx, model))
            agent::flow::reembed_now(tx, model.name);
        if (has_vectors && agent::knowledge::lacks_part_vectors(tx))
            agent::knowledge::embed_parts_now(tx, model.name);
    }
    step = {"commit what the start has written"};
    return rows;
}

// In one transaction: a connection takes longer than all of its statements.
base::result<void> prepare_rows(
    storage::database_options const& database,
    config const& settings,
    std::vector<std::string> const& bots,
    server::mode mode,
    base::random_source& random,
    start_rows& rows,
    start_step& step
) {
    return storage::run_blocking(database, [&](storage::transaction& tx) {
        if (mode == server::mode::demo) refuse_other_bots(tx, bots);
        rows = find_rows(tx, settings, bots, random, step);
    });
}

// A warning and no more: a flow that has the tool may be published later.
void warn_of_unknown_tools(config const& settings, std::vector<std::string> of_flows) {
    for (auto const& unknown : unknown_tools(settings, std::move(of_flows)))
        base::log::warn(
            "config.unknown_tool", {{"tool", unknown.name}, {"perhaps", unknown.nearest}}
        );
}

// Memories are found by words all the same; doctor says it, too.
void warn_of_missing_vectors(agent::recall::vector_state state) {
    if (state == agent::recall::vector_state::ready) return;
    bool const is_missing = state == agent::recall::vector_state::missing;
    base::log::warn(
        "config.no_vectors",
        {{"reason", is_missing ? "Postgres has no pgvector" : "our role may not create it"}}
    );
}

} // namespace

prepared prepare(
    config const& settings,
    std::vector<std::string> const& bots,
    server::mode mode,
    base::random_source& random
) {
    auto database = open_local_database(settings, "postrider");
    if (!database)
        give_up(
            {"start the private Postgres cluster",
             "Or name one of your own: DATABASE_URL=postgres://…"},
            database.error()
        );
    patience left;
    auto const help = help_with(*database, settings);
    start_step step{"prepare the database", help};
    repeat_until_done(left, step, [&] { return storage::migrate(database->options); });
    start_rows rows;
    repeat_until_done(left, step, [&] {
        return prepare_rows(database->options, settings, bots, mode, random, rows, step);
    });
    warn_of_unknown_tools(settings, std::move(rows.tools));
    if (rows.vectors) warn_of_missing_vectors(*rows.vectors);
    if (database->cluster) database->cluster->keep_running();
    return {
        std::move(*database),
        std::move(rows.bots),
        find_admin_token(settings, random),
        std::move(rows.token_key),
        mode == server::mode::demo ? demo_person : person_of_owner(settings.bots),
        rows.vectors == agent::recall::vector_state::ready};
}

} // namespace postrider::server
