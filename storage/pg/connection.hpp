#pragma once
// One session with Postgres; the only place that knows libpqxx. Throws failure and database_error
// (see storage/database.hpp). Blocking; used by one thread, except break_off().
#include "storage/pg/conninfo.hpp"
#include "storage/pg/failure.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace postrider::storage::pg {

// As a transaction: query() and script() between begin and commit.
class connection : public transaction {
public:
    // A round trip each. A connection that breaks while committing throws ambiguous. Committing
    // after a failed query throws database_error: Postgres would roll back and call it success.
    // rollback never throws: when it cannot be done the connection is no longer open.
    virtual void begin() = 0;
    virtual void commit() = 0;
    virtual void rollback() noexcept = 0;

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
    // The server's major version.
    virtual int server_version() const noexcept = 0;
    // From any thread, while the object lives: the call in progress, and any later one, fails.
    virtual void break_off() noexcept = 0;
};

// Connects; unavailable when that fails for whatever reason. May take options.connect_timeout per
// host.
std::unique_ptr<connection> connect(database_options const& options, purpose what_for);

} // namespace postrider::storage::pg
