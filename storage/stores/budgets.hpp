#pragma once
// Budgets of model calls in the database: what a call may spend is reserved before it and settled by
// the commit that records it. A reservation counts until it is settled, until a later run of its
// job reserves something, or until it has lasted its time, whichever is first; it is settled once at
// most. Days begin in postrider.calendar's zone.
#include "base/ids.hpp"
#include "storage/batcher.hpp"
#include "storage/database.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace postrider::storage {

struct spending {
    std::int64_t calls = 0;
    std::int64_t tokens = 0;
    std::int64_t cost_micro = 0; // millionths of a US dollar
};

struct budget {
    std::string scope;   // total, user, chat, agent or flow
    std::string subject; // whose; "" of total
    spending most;       // on a day; 0 = no limit
};

struct reservation_key {
    job_id job{};
    std::string run; // the same for one run of the job, and for no other
    int number = 0;  // within it
};

// A budget that has nothing left.
struct empty_budget {
    std::string scope;
    std::string subject;
    std::string kind; // calls, tokens or cost
    std::int64_t most = 0;
    bool spent = true; // false: calls in flight hold what is left, and may give some of it back
    std::string opens; // "2026-11-24 00:00 Europe/Berlin"
};

// Reserves a call of that estimate of all the budgets, or tells the first that is empty. Throws as
// transaction::query() does.
std::optional<empty_budget> reserve(
    transaction& tx,
    reservation_key const& key,
    std::vector<budget> const& budgets,
    spending const& estimate,
    std::chrono::seconds lasts
);

// The reservation goes, and what the call paid is spent. Returns no row; order 66.
write settle(reservation_key const& key, spending const& paid);
// The same for a call that no job makes. Throws as transaction::query() does.
void settle(transaction& tx, reservation_key const& key, spending const& paid);

// What was spent of a budget today, and what calls in flight hold beside.
struct spent_budget {
    std::string scope;
    std::string subject;
    spending spent;
    spending held;
    std::string opens_at; // ISO 8601 in UTC
};

// By scope and subject, those behind `after`; an empty scope is every one. Throws as transaction::query()
// does.
std::vector<spent_budget> list_budgets(
    transaction& tx,
    std::string const& scope,
    std::pair<std::string, std::string> const& after,
    int limit
);

} // namespace postrider::storage
