#include "storage/connections.hpp"

#include <algorithm>

namespace postrider::storage {

namespace {

// Whoever asked over the API was told by then that it takes too long.
constexpr base::duration longest_api_statement{std::chrono::seconds{20}};

// Nobody works for longer than this while it holds a row that the engine's rare work needs.
constexpr base::duration rare_lock_wait{std::chrono::seconds{2}};

batcher_options writes(std::string name) {
    batcher_options options;
    options.name = std::move(name);
    return options;
}

batcher_options writes(std::string name, std::string const& fault) {
    auto options = writes(std::move(name));
    options.fault_before = fault + ".before_commit";
    options.fault_after = fault + ".after_commit";
    return options;
}

batcher_options reads(std::string name) {
    auto options = writes(std::move(name));
    options.read_only = true;
    return options;
}

} // namespace

std::vector<std::pair<std::string, batcher_counts>> connections::counts() const {
    return {
        {"intake", intake->counts()},
        {"checkpoints", checkpoints->counts()},
        {"quick", quick->counts()},
        {"beats", beats->counts()},
        {"reads", reads->counts()}};
}

base::duration connections::oldest_commit() const {
    base::duration oldest{0};
    for (auto const* batcher : {&intake, &checkpoints, &quick, &beats}) {
        auto const counts = (*batcher)->counts();
        oldest = std::max({oldest, counts.oldest, counts.under_way});
    }
    return oldest;
}

void connections::close() {
    for (auto* batcher : {&reads, &beats, &quick, &checkpoints, &intake}) (*batcher)->close();
    for (auto* database : {&watchers, &reports, &console, &maintenance, &db}) (*database)->close();
}

connections connect(
    boost::asio::any_io_executor executor, database_options options, refusals::listener refused
) {
    connections result;
    result.refusals = std::make_unique<refusals>(base::system_clock(), std::move(refused));
    auto batcher = [&](batcher_options batching) {
        if (!batching.read_only)
            batching.note_outcome = [&watch = *result.refusals,
                                     name = batching.name](auto const& outcome) {
                watch.note(name, outcome);
            };
        return make_batcher(executor, options, std::move(batching));
    };
    auto rare = options;
    rare.lock_timeout = rare_lock_wait;
    result.db = open_database(executor, rare);
    auto tidying = options;
    tidying.application = "postrider maintenance";
    tidying.connections = 1;
    result.maintenance = open_database(executor, tidying);
    auto for_api = [&](std::string name, int count) {
        auto purpose = options;
        purpose.application = "postrider " + std::move(name);
        purpose.connections = count;
        purpose.statement_timeout = longest_api_statement;
        return open_database(executor, std::move(purpose));
    };
    result.console = for_api("console", 4);
    result.reports = for_api("reports", 2);
    result.watchers = for_api("watchers", 2);
    result.intake = batcher(writes("intake", "ingest"));
    result.checkpoints = batcher(writes("checkpoints", "checkpoint"));
    result.quick = batcher(writes("quick"));
    result.beats = batcher(writes("beats"));
    result.reads = batcher(reads("reads"));
    return result;
}

} // namespace postrider::storage
