#include "queue/run/run_state.hpp"

namespace postrider::queue {

run_state::run_state(run_services with, queue::job of, queue::lease lease, step_history recorded)
    : services(std::move(with)),
      job(std::move(of)),
      history(std::move(recorded)),
      history_read(services.clock.steady()),
      journal(services, job, lease, history) {}

void run_state::boundary() const {
    if (branches && branches->failure) throw suspended{};
    auto const control = journal.asked();
    bool const waits = control == control_request::pause || control == control_request::hold;
    if (undoing ? waits : expired || rolling_back()) throw asked_to_stop{};
    if (undoing || !control) return;
    if (control != control_request::interrupt || !journal.answered()) throw asked_to_stop{};
}

base::awaitable<void> run_state::leave(park parking) {
    if (branches) {
        co_await journal.write();
        suspend_branch(std::move(parking));
    }
    auto const delay = parking.delay;
    checkpoint_request request;
    request.ending = std::move(parking);
    auto sent = co_await journal.write(std::move(request));
    if (sent->asked() && sent->asked() != control_request::hold) throw asked_to_stop{};
    parked_for = delay;
    throw suspended{};
}

void run_state::suspend_branch(park parking) {
    auto const due = services.clock.steady() + parking.delay;
    branches->for_events = branches->for_events || parking.for_events;
    if (!branches->earliest || due < branches->due) {
        branches->due = due;
        branches->earliest = std::move(parking);
    }
    throw suspended{};
}

} // namespace postrider::queue
