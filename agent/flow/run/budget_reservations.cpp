#include "agent/flow/run/budget_reservations.hpp"

#include "storage/transact.hpp"

namespace postrider::agent::flow {

namespace {

using namespace std::chrono_literals;

constexpr auto deadline = 5s;
// From the end of a call to the commit that records it.
constexpr auto until_recorded = 60s;

} // namespace

base::awaitable<base::result<int>> budget_reservations::reserve(
    storage::spending estimate, std::chrono::milliseconds longest_call
) {
    auto const number = ++calls_;
    if (limits_.empty()) co_return number;
    storage::reservation_key key{steps_.job().id, run_, number};
    auto const lifetime = std::chrono::ceil<std::chrono::seconds>(longest_call) + until_recorded;
    auto work = [key, estimate, lifetime, budgets = limits_](storage::transaction& tx) {
        return storage::reserve(tx, key, budgets, estimate, lifetime);
    };
    auto const exhausted =
        co_await storage::transact(*budgets_.db, "budgets.reserve", std::move(work), deadline);
    // Whether it is reserved does not matter: it is not used, and lasts its time.
    if (!exhausted && exhausted.error() == base::errc::ambiguous)
        co_return base::error(base::errc::unavailable, exhausted.error().detail);
    if (!exhausted) co_return exhausted.error();
    if (*exhausted) co_return refusal(**exhausted);
    co_return number;
}

// A commit whose answer was lost is sent again, and so may these rows be: what is settled has no
// reservation any more.
void budget_reservations::settle(int number, storage::spending const& paid) {
    if (limits_.empty()) return;
    storage::reservation_key const key{steps_.job().id, run_, number};
    settled_.push_back(storage::settle(key, paid));
    steps_.add(settled_.back());
}

void budget_reservations::begin_anew() {
    for (auto const& row : settled_) steps_.add(row);
}

} // namespace postrider::agent::flow
