#pragma once
// The group-commit batcher, the one performance primitive: requests that arrive while the
// connection is busy share the next transaction, one multi-row statement per kind. No artificial
// delay: a lone request goes at once, a flood shares commits.
//
// A unit is what commits whole or not at all. It asks for rows in stages: what a stage's statements
// returned for the unit decides its next stage. Per stage the batcher groups the rows of all units
// by statement, in the statements' `order`, adds "i" (the unit's number) to each row, and runs
//     statement($1 = [{"i":0,…},{"i":1,…}]::json)       whose first result column is i.
// A unit of which a statement returned no row simply gets none: that is how a fence or a duplicate
// shows, and the unit itself decides what follows.
//
// A row that Postgres refuses (poison: SQLSTATE class 22, 23 or 54; not_found: what it is for is
// gone) aborts the transaction; the batch is then run again in halves, down to the single unit, in
// order, and the culprit alone fails. So does one that meets another's lock (conflict: its
// caller tries again, with a pause), that Postgres cut off (unavailable), that throws or whose SQL
// is wrong (internal, logged): it alone fails. Units must therefore be able to start again at
// stage 0. While a lock is held, the others wait 0.6 s for it at most: 250 ms when it is met, 25 ms in
// each half that is tried then, and 100 ms for its unit alone.
//
// A batch commits whole, so a unit that is run again has changed nothing before. A commit whose
// answer was lost is never repeated: its units are ambiguous.
//
// Order: with one connection units commit in the order of their commit() calls, or together.
#include "storage/database.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace postrider::storage {

// The job ids that a row is about, all of them at first; see statement::parameters.
struct job_range {
    std::int64_t least = 0;
    std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

    static job_range only(job_id job) { return {base::raw(job), base::raw(job)}; }
    static job_range since(job_id job) { return {.least = base::raw(job)}; }
    // The least one that holds both.
    job_range with(job_range other) const {
        return {std::min(least, other.least), std::max(greatest, other.greatest)};
    }
};

struct write {
    storage::statement const* statement; // with static storage duration
    std::string row;                     // a JSON object, or "" for {"i":n} alone
    job_range jobs = {};                 // for a statement that takes a range
};

class unit {
public:
    virtual ~unit() = default;
    // The rows of this stage; empty = finished. `returned` holds what the unit's rows of the stage
    // before returned, in the order of the writes (all rows of a statement, column 0 = i). Stage 0
    // starts anew. Runs on the batcher's thread while the transaction is open: it must not block or
    // touch what the loop's thread uses; the awaiting coroutine reads the unit again after commit()
    // returned. A statement may be asked for several times in one stage: the rows that it returned
    // for the unit then all stand at the first of these writes.
    virtual std::vector<write> stage(int number, std::vector<rows> const& returned) = 0;

    // After stage(number): a promise to ask for nothing more, whatever these rows return. Where all
    // units of a batch promise it, the commit travels with their statements.
    virtual bool is_last(int number) const {
        (void)number;
        return false;
    }

    // True: shares its transaction with no other unit. For what takes its locks in another order
    // than the rest of its batch (docs/states.md, Locks).
    virtual bool apart() const { return false; }
};

struct batcher_options {
    std::string name; // in logs, metrics and the connection's application_name
    std::size_t largest_batch = 256;
    bool read_only = false;   // its units only read: no transaction around their statements
    int connections = 1;      // with a thread each
    std::string fault_before; // fault points around the commit ("" = none)
    std::string fault_after;
    // What became of each unit, on the executor's thread.
    std::function<void(base::result<void> const&)> note_outcome;
};

struct batcher_counts {
    std::uint64_t commits = 0;
    std::uint64_t units = 0;
    std::uint64_t split = 0;     // batches run again in halves because of one unit
    std::size_t waiting = 0;     // units not yet taken
    base::duration oldest{0};    // how long the oldest of them has waited
    base::duration under_way{0}; // how long the batch under way has lasted
};

class batcher {
public:
    virtual ~batcher() = default;

    // From the executor's thread only. Returns when the unit's transaction has committed (value) or
    // failed (see database.hpp). On timeout the unit may still commit later; it is kept alive until
    // then.
    virtual base::awaitable<base::result<void>> commit(
        std::shared_ptr<unit> work, base::duration deadline
    ) = 0;
    virtual batcher_counts counts() const = 0; // from any thread
    virtual void close() = 0;
};

std::unique_ptr<batcher> make_batcher(
    boost::asio::any_io_executor executor, database_options database, batcher_options options
);

} // namespace postrider::storage
