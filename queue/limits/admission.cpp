#include "queue/limits/admission.hpp"

namespace postrider::queue {

namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr auto look_again = milliseconds{500};

// Until the database answers: without it the job could not go on either.
base::awaitable<std::optional<waiting_place>> held_place(
    limiter& limits, job_id job, std::string const& resource, std::function<bool()> const& may_act
) {
    while (may_act()) {
        auto held = co_await limits.find_place(job, resource);
        if (held) co_return *held;
        co_await base::sleep_for(look_again);
    }
    co_return std::nullopt;
}

} // namespace

base::awaitable<gate_result> pass_gate(
    limiter& limits,
    queue::job const& job,
    std::string resource,
    std::optional<milliseconds> patience,
    milliseconds longest_use,
    milliseconds shortest_park,
    std::set<std::string>& admitted,
    std::function<bool()> may_act
) {
    gate_result result;
    std::optional<waiting_place> place;
    bool const may_have_place = job.begun_before && !admitted.contains(resource);
    if (may_have_place) place = co_await held_place(limits, job.id, resource, may_act);
    bool const token = !place || !place->reserved;
    auto waited = place ? place->waited : 0ms;
    gate_use const use{job.id, longest_use};
    while (may_act()) {
        auto left = patience;
        if (left) *left = std::max(0ms, *left - waited);
        auto admission = co_await limits.take(resource, token, left, use);
        // Something else woke it before its own time.
        if (admission.go() && !token && place->left > 0ms)
            admission = {place->left, "bucket " + resource + " is empty", true};
        result.wait = admission.wait;
        result.reason = admission.reason;
        result.until = admission.until;
        if (admission.go()) break;
        if (left && admission.wait > *left) {
            result.verdict = gate_result::outcome::give_up;
            break;
        }
        if (admission.wait >= shortest_park) {
            // A reserved use stays reserved behind a breaker, too.
            if (token) result.writes.push_back(keep_place(job.id, job.lane, resource, admission));
            result.verdict = gate_result::outcome::park;
            co_return result;
        }
        co_await base::sleep_for(admission.wait);
        waited += admission.wait;
        if (admission.reserved) break; // its own time has come
    }
    if (place) {
        admitted.insert(resource);
        bool const passed = result.verdict != gate_result::outcome::give_up;
        result.writes.push_back(leave_place(job.id, resource, *place, waited, passed));
    }
    co_return result;
}

} // namespace postrider::queue
