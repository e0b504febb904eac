#include "queue/admission.hpp"

namespace postrider::queue {

namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr auto look_again = milliseconds{500};

} // namespace

base::awaitable<passage> gatekeeper::admit(
    std::string resource, std::optional<milliseconds> patience, milliseconds shortest_park
) {
    passage found;
    auto held = co_await place_of(resource);
    auto waited = held ? held->waited : 0ms;
    while (may_act_()) {
        auto left = patience;
        if (left) *left = std::max(0ms, *left - waited);
        bool const token = !held || !held->reserved;
        auto asked = co_await limits_.take(resource, token, left);
        if (asked.go() && !token && held->left > 0ms)
            asked = {held->left, "bucket " + resource + " is empty", true};
        found.wait = asked.wait;
        found.why = asked.why;
        if (asked.go()) break;
        if (left && asked.wait > *left) {
            found.what = passage::verdict::give_up;
            break;
        }
        if (asked.wait >= shortest_park) {
            // A reservation that is behind a breaker stays what it is.
            if (token || asked.reserved)
                found.writes.push_back(keep_place(job_.id, job_.lane, resource, asked));
            found.what = passage::verdict::park;
            co_return found;
        }
        co_await base::sleep_for(asked.wait);
        waited += asked.wait;
        if (asked.reserved) break; // its own time has come
    }
    if (held) {
        used_.insert(resource);
        found.writes.push_back(leave_place(job_.id, resource, *held));
    }
    co_return found;
}

// Only a run after the first can have one. Until the database answers: without it the job could not
// go on either.
base::awaitable<std::optional<limiter::place>> gatekeeper::place_of(std::string const& resource) {
    if (job_.run_no == 1 || used_.contains(resource)) co_return std::nullopt;
    while (may_act_()) {
        auto held = co_await limits_.find_place(job_.id, resource);
        if (held) co_return *held;
        co_await base::sleep_for(look_again);
    }
    co_return std::nullopt;
}

} // namespace postrider::queue
