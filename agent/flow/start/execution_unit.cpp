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

bool execution_unit::fits_one_stage() const {
    bool const is_plain = start_->message && !start_->opens_conversation;
    return !by_stages_ && known_lane_ && is_plain && sole_gate();
}

std::vector<write> execution_unit::only_stage() {
    reset(phase::at_once);
    by_stages_ = true;
    return {queue::enqueue_turn(*sole_gate(), start_->job, *start_->message, *known_lane_)};
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
    if (!row) return enqueue(lane());
    phase_ = phase::metering;
    return {std::move(*row)};
}

std::vector<write> execution_unit::pass_meter(rows const& counted) {
    return passes(counted) ? enqueue(lane()) : decline_first();
}

std::vector<write> execution_unit::decline_first() {
    phase_ = phase::declined;
    return decline({});
}

std::vector<write> execution_unit::enqueue(lane_id in) {
    phase_ = phase::enqueueing;
    if (!start_->opens_conversation) return {queue::enqueue(start_->job, in)};
    return {storage::lock_open_conversation(in), queue::enqueue(start_->job, in)};
}

std::vector<write> execution_unit::complete(rows const& returned) {
    phase_ = phase::over;
    if (returned.empty()) {
        lane_was_gone_ = true;
        throw lane_is_gone();
    }
    job_ = queue::read_enqueued(returned.front());
    auto asked = follow(*job_);
    if (start_->opens_conversation)
        asked.push_back(storage::open_conversation(job_->lane, job_->id));
    if (!start_->message) return asked;
    auto message = *start_->message;
    message.lane = job_->lane;
    message.job = job_->id;
    message.conversation = job_->conversation;
    asked.push_back(storage::add_message(message));
    return asked;
}

} // namespace postrider::agent::flow
