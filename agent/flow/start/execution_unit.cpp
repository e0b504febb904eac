#include "agent/flow/start/execution_unit.hpp"

#include "queue/store/enqueue_turn.hpp"
#include "storage/stores/open_conversation.hpp"

namespace postrider::agent::flow {

using storage::rows;
using storage::write;

std::vector<write> execution_unit::stage(int number, std::vector<rows> const& returned) {
    if (number == 0) return begin();
    switch (phase_) {
    case phase::at_once:
        conclude(returned.front());
        return {};
    case phase::admission:
        return pass_gate(returned);
    case phase::metering:
        return pass_meter(returned.front());
    case phase::enqueueing:
        return complete(returned.back());
    case phase::declined:
        return decline(returned);
    case phase::over:
        break;
    }
    return {};
}

// A lane that this transaction has found or made fails the statement where it goes away; one that is
// known from before is looked at behind the statement.
bool execution_unit::is_last(int /*number*/) const {
    if (phase_ != phase::enqueueing) return phase_ == phase::over;
    return ensured_lane_ && !needs_stages() && !start_->opens_conversation;
}

bool execution_unit::fits_one_stage() const {
    return !by_stages_ && known_lane_ && !needs_stages() && !start_->opens_conversation;
}

std::vector<write> execution_unit::only_stage() {
    reset(phase::at_once);
    by_stages_ = true;
    return {queue::enqueue_turn(start_->job, *known_lane_, {update(), message()})};
}

void execution_unit::conclude(rows const& returned) {
    phase_ = phase::over;
    undecided_ = returned.empty();
    if (!undecided_) job_ = queue::read_turn(returned.front());
}

void execution_unit::reset(phase first) noexcept {
    phase_ = first;
    undecided_ = false;
    lane_was_gone_ = false;
    ensured_lane_.reset();
    job_.reset();
}

std::vector<write> execution_unit::begin() {
    reset(phase::admission);
    std::vector<write> asked;
    if (auto row = gate()) asked.push_back(std::move(*row));
    gated_ = !asked.empty();
    if (!known_lane_) asked.push_back(storage::ensure_lane(start_->lane));
    if (!asked.empty()) return asked;
    return count();
}

std::vector<write> execution_unit::pass_gate(std::vector<rows> const& returned) {
    if (!known_lane_) ensured_lane_ = storage::read_lane(returned.back().at(0));
    return !gated_ || admits(returned.front()) ? count() : decline_first();
}

std::vector<write> execution_unit::count() {
    auto row = meter();
    if (!row) return enqueue();
    phase_ = phase::metering;
    return {std::move(*row)};
}

std::vector<write> execution_unit::pass_meter(rows const& counted) {
    return passes(counted) ? enqueue() : decline_first();
}

std::vector<write> execution_unit::decline_first() {
    phase_ = phase::declined;
    return decline({});
}

std::vector<write> execution_unit::enqueue() {
    phase_ = phase::enqueueing;
    auto const absent =
        ensured_lane_ ? queue::absent_lane::fails_statement : queue::absent_lane::stores_nothing;
    auto job = queue::enqueue_turn(start_->job, lane(), {nullptr, message()}, absent);
    if (!start_->opens_conversation) return {std::move(job)};
    return {storage::lock_open_conversation(lane()), std::move(job)};
}

std::vector<write> execution_unit::complete(rows const& returned) {
    phase_ = phase::over;
    if (returned.empty()) {
        lane_was_gone_ = true;
        throw lane_is_gone();
    }
    job_ = queue::read_turn(returned.front());
    auto asked = follow(*job_);
    if (start_->opens_conversation)
        asked.push_back(storage::open_conversation(job_->lane, job_->id));
    return asked;
}

} // namespace postrider::agent::flow
