#pragma once
// Every connection to Postgres that one process has, by what travels on it. They share nothing: a
// flood of deliveries does not delay a running turn's commit, nor either of them the heartbeat.
#include "storage/batcher.hpp"
#include "storage/database.hpp"
#include "storage/refusals.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace postrider::storage {

struct connections {
    std::unique_ptr<storage::refusals> refusals; // of all that write
    std::unique_ptr<database> db;                // whatever is rare
    std::unique_ptr<database> maintenance;       // what may take minutes
    std::unique_ptr<database> console;           // what the API's clients look at and change
    std::unique_ptr<database> reports;           // what they read from very many rows, or for long
    std::unique_ptr<database> watchers;          // what their streams look at again and again
    std::unique_ptr<batcher> intake;             // updates with their jobs
    std::unique_ptr<batcher> checkpoints;        // running jobs
    std::unique_ptr<batcher> quick;              // the engine's claims and limits
    std::unique_ptr<batcher> beats;              // its heartbeat
    std::unique_ptr<batcher> reads;              // histories

    std::vector<std::pair<std::string, batcher_counts>> counts() const;
    // How long the oldest unit that writes waits, or its batch has lasted. From any thread.
    base::duration oldest_commit() const;
    // Breaks them: what still waits becomes unavailable.
    void close();
};

// `refused`: why commits are refused; see refusals.hpp.
connections connect(
    boost::asio::any_io_executor executor,
    database_options options,
    refusals::listener refused = [](auto const&) {}
);

} // namespace postrider::storage
