#pragma once
// One session with Postgres. Throws failure and database_error (see storage/database.hpp).
// Blocking; used by one thread, except break_off().
//
// Two clients stand behind it: libpqxx for all general work (pqxx_connection.cpp), libpq's pipeline
// mode for batches, where every round trip counts (pipeline_connection.cpp).
#include "storage/pg/conninfo.hpp"
#include "storage/pg/failure.hpp"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace postrider::storage::pg {

// A statement of a batch and its parameters: a JSON array, and a range where the statement takes one.
struct request {
    storage::statement const* statement;
    std::string json;
    std::int64_t least = 0;
    std::int64_t greatest = 0;
};

// What is committed by query_all().
enum class commit_mode {
    none,     // the transaction goes on
    together, // all that the transaction did, with these requests
    each,     // outside begin and commit: every request by itself, for what only reads
};

// As a transaction: query() and script() between begin and commit.
class connection : public transaction {
public:
    // A connection that breaks while committing throws ambiguous. Committing
    // after a failed query throws database_error: Postgres would roll back and call it success.
    // rollback never throws: when it cannot be done the connection is no longer open.
    virtual void begin() = 0;
    virtual void commit() = 0;
    virtual void rollback() noexcept = 0;

    // Runs the requests in their order and returns the rows of each; one round trip where the
    // client can. A failure is thrown: with `together` nothing is committed then, or, when the
    // connection broke, the outcome is ambiguous; with `each` requests before it stay committed.
    virtual std::vector<rows> query_all(std::span<request const> requests, commit_mode mode) = 0;

    // False behind a proxy that hands out sessions by transaction: its settings come with begin.
    // Where it is true, a query outside of begin and commit is a transaction of its own.
    virtual bool can_query_alone() const noexcept = 0;

    // Forgets all prepared statements, so that their next use plans them for the tables of now.
    // Outside a transaction.
    virtual void renew_plans() = 0;

    virtual bool open() const noexcept = 0;
    // Outside a transaction: nothing came unasked, neither the end of the connection nor its
    // notice.
    virtual bool quiet() const noexcept = 0;
    // The server's process that was given up, since it did not answer: it may still do what it was sent
    // last. 0 = none was.
    virtual int silent_process() const noexcept { return 0; }
    // The server's major version.
    virtual int server_version() const noexcept = 0;
    // From any thread, while the object lives: the call in progress, and any later one, fails.
    virtual void break_off() noexcept = 0;
};

// Connects; unavailable when that fails for whatever reason. May take options.connect_timeout per
// host.
std::unique_ptr<connection> connect(database_options const& options, purpose purpose);

// The two clients; connect() chooses. A pipeline needs prepared statements.
std::unique_ptr<connection> connect_pqxx(database_options const& options, purpose purpose);
std::unique_ptr<connection> connect_pipeline(database_options const& options, purpose purpose);

} // namespace postrider::storage::pg
