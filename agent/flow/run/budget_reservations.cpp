#include "agent/flow/run/budget_reservations.hpp"

#include <memory>

namespace postrider::agent::flow {

namespace {

using namespace std::chrono_literals;

constexpr auto deadline = 5s;
// From the end of a call to the commit that records it.
constexpr auto until_recorded = 60s;

} // namespace

base::awaitable<base::result<int>> budget_reservations::reserve(
    storage::spending estimate, std::chrono::milliseconds longest
) {
    auto const number = ++calls_;
    if (bound_.empty()) co_return number;
    storage::reservation_key key{steps_.job().id, run_, number};
    auto const lasts = std::chrono::ceil<std::chrono::seconds>(longest) + until_recorded;
    auto found = std::make_shared<std::optional<storage::empty_budget>>();
    auto work = [found, key, estimate, lasts, budgets = bound_](storage::transaction& tx) {
        *found = storage::reserve(tx, key, budgets, estimate, lasts);
    };
    auto done = co_await budgets_.db->run("budgets.reserve", std::move(work), deadline);
    // Whether it is reserved does not matter: it is not used, and lasts its time.
    if (!done && done.error() == base::errc::ambiguous)
        co_return base::error(base::errc::unavailable, done.error().detail);
    if (!done) co_return done.error();
    if (*found) co_return refusal(**found);
    co_return number;
}

// A commit whose answer was lost is sent again, and so may these rows be: what is settled has no
// reservation any more.
void budget_reservations::settle(int number, storage::spending const& paid) {
    if (bound_.empty()) return;
    storage::reservation_key const key{steps_.job().id, run_, number};
    settled_.push_back(storage::settle(key, paid));
    steps_.add(settled_.back());
}

void budget_reservations::begin_anew() {
    for (auto const& row : settled_) steps_.add(row);
}

} // namespace postrider::agent::flow
