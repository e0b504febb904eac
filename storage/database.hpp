#pragma once
// Postgres for coroutines. Its clients block, so every connection has a thread of its own;
// coroutines await. No type of libpq or libpqxx leaves storage/pg.
//
// Failures that come back as values: unavailable (no connection, or it broke before the commit),
// ambiguous (it broke while committing: may have happened), timeout (the waiter's deadline passed:
// the work may still commit; or Postgres cut it off, SQLSTATE 57014: it has not and will not),
// poison (SQLSTATE class 22, 23 or 54, or a NUL byte: the rows themselves), conflict (serialisation
// failure, deadlock, or a lock that was not to be had in lock_timeout; after retries), not_found
// (what the rows are for was deleted meanwhile). A defect of ours (bad SQL) throws database_error.
#include "base/async.hpp"
#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/secret.hpp"
#include "storage/reachability.hpp"
#include "storage/row.hpp"
#include "storage/statement.hpp"

#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

// One parameter in Postgres' text form, or null.
class param {
public:
    param(std::nullopt_t) {}
    param(std::string_view text) : text_(std::string(text)) {}
    param(char const* text) : text_(std::string(text)) {}
    param(std::string text) : text_(std::move(text)) {}
    param(std::int64_t number) : text_(std::to_string(number)) {}
    param(int number) : text_(std::to_string(number)) {}
    param(bool flag) : text_(flag ? "true" : "false") {}
    template<class Id>
    requires std::is_enum_v<Id> param(Id id) : text_(base::to_string(id)) {}

    std::optional<std::string> const& text() const noexcept { return text_; }

private:
    std::optional<std::string> text_;
};

// An open transaction; lives on a storage thread. query() throws what database turns into values.
class transaction {
public:
    virtual ~transaction() = default;
    virtual rows query(statement const& statement, std::vector<param> const& params = {}) = 0;
    // Without a prepared statement, several commands at once: migrations, settings and savepoints only.
    virtual void script(std::string_view sql) = 0;
};

struct database_options {
    std::string url; // libpq URI or conninfo; several hosts allowed
    std::string application = "postrider";
    int connections = 2; // of run(), with a thread each
    base::duration connect_timeout = base::duration{std::chrono::seconds{5}};
    base::duration statement_timeout = base::duration{std::chrono::seconds{30}};
    base::duration lock_timeout{0}; // of run(); 0 = a lock is waited for as long as a statement may
    // In hex, the two padded keys of HMAC-SHA-256 (RFC 2104) that link the audit's rows; empty = none.
    base::secret audit_key = {};
    // Behind a transaction-pooling proxy: no prepared statements.
    bool prepared = true;
    // Of all connections that report an outage together; null = each reports its own.
    std::shared_ptr<storage::reachability> reachability = nullptr;
};

// A few connections with a thread each. Threads: run() from the executor's thread only.
class database {
public:
    virtual ~database() = default;

    // One transaction: begin, work, commit. A conflict is tried three times, and a plan that no
    // longer fits once more, so work must be free of other side effects. `deadline` bounds the
    // waiter, not the work, which may go on after the call returned: it must own what it captures.
    virtual base::awaitable<base::result<void>> run(
        std::string_view name, std::function<void(transaction&)> work, base::duration deadline
    ) = 0;
    // One statement in a transaction of its own.
    virtual base::awaitable<base::result<rows>> query(
        statement statement, std::vector<param> params, base::duration deadline
    ) = 0;
    virtual database_options const& options() const = 0;
    // Breaks open connections so that blocked threads end, and joins them; afterwards everything is
    // unavailable. A connection attempt in progress ends within connect_timeout.
    virtual void close() = 0;
};

std::unique_ptr<database> open_database(
    boost::asio::any_io_executor executor, database_options options
);

// A blocking transaction on a connection of its own, for start-up and the command line.
// The same failures as database::run.
base::result<void> run_blocking(
    database_options const& options, std::function<void(transaction&)> work
);

} // namespace postrider::storage
