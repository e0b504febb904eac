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
        return pass_meter(returned);
    case phase::joining:
        return joins(returned.front()) ? decline_first() : begin_job();
    case phase::ending_turn:
        return pass_end(returned.front());
    case phase::finding_lane:
        return enqueue_command(storage::read_lane(returned.front().at(0)));
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
    return ensured_lane_ && !needs_stages() && !start_->command;
}

bool execution_unit::fits_one_stage() const {
    return !by_stages_ && known_lane_ && !needs_stages() && !start_->command;
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
    ended_ = {};
    begun_.reset();
    job_.reset();
}

std::vector<write> execution_unit::begin() {
    reset(phase::admission);
    std::vector<write> writes;
    if (auto row = gate()) writes.push_back(std::move(*row));
    gated_ = !writes.empty();
    if (looks_for_lane()) writes.push_back(storage::ensure_lane(start_->lane));
    if (!writes.empty()) return writes;
    return count();
}

std::vector<write> execution_unit::pass_gate(std::vector<rows> const& returned) {
    if (looks_for_lane()) ensured_lane_ = storage::read_lane(returned.back().at(0));
    return !gated_ || admits(returned.front()) ? count() : decline_first();
}

std::vector<write> execution_unit::count() {
    auto writes = meter();
    if (writes.empty()) return look_for_job();
    phase_ = phase::metering;
    return writes;
}

std::vector<write> execution_unit::pass_meter(std::vector<rows> const& counted) {
    return passes(counted) ? look_for_job() : decline_first();
}

std::vector<write> execution_unit::look_for_job() {
    auto row = join();
    if (!row) return begin_job();
    phase_ = phase::joining;
    return {std::move(*row)};
}

std::vector<write> execution_unit::decline_first() {
    phase_ = phase::declined;
    return decline({});
}

std::vector<write> execution_unit::begin_job() {
    if (!start_->command) return enqueue();
    auto const& ends = start_->command->ends;
    if (!ends) return find_command_lane();
    phase_ = phase::ending_turn;
    auto turn = *ends;
    turn.lane = lane();
    return {storage::end_turn(turn)};
}

std::vector<write> execution_unit::pass_end(rows const& returned) {
    ended_ = storage::read_stopped_turn(returned.at(0));
    return start_->command->needs_turn && !ended_.job ? enqueue() : find_command_lane();
}

std::vector<write> execution_unit::find_command_lane() {
    phase_ = phase::finding_lane;
    storage::lane_row beside{.key = lane_key_of_commands(start_->lane.key)};
    beside.bot = start_->lane.bot;
    return {storage::ensure_lane(beside)};
}

std::vector<write> execution_unit::enqueue_command(lane_id beside) {
    phase_ = phase::enqueueing;
    begun_ = start_->command->job;
    begun_->lease_to = start_->job.lease_to;
    auto& input = begun_->input.as_object();
    input["lane"] = base::raw(lane());
    if (ended_.job) input["ended"] = base::raw(*ended_.job);
    if (ended_.others) input["others"] = true;
    return {queue::enqueue_turn(*begun_, beside, {}, queue::absent_lane::fails_statement)};
}

std::vector<write> execution_unit::enqueue() {
    phase_ = phase::enqueueing;
    auto const absent =
        ensured_lane_ ? queue::absent_lane::fails_statement : queue::absent_lane::stores_nothing;
    return {queue::enqueue_turn(start_->job, lane(), {nullptr, message()}, absent)};
}

std::vector<write> execution_unit::complete(rows const& returned) {
    phase_ = phase::over;
    if (returned.empty()) {
        lane_was_gone_ = true;
        throw lane_is_gone();
    }
    job_ = queue::read_turn(returned.front());
    auto writes = follow(*job_);
    if (!begun_) return writes;
    if (start_->message) writes.push_back(command_message());
    if (start_->command->opens_conversation)
        writes.push_back(storage::open_conversation(lane(), job_->id));
    return writes;
}

write execution_unit::command_message() const {
    auto row = *start_->message;
    row.lane = lane();
    row.job = job_->id;
    return storage::add_message_from_beside(row);
}

std::string lane_key_of_commands(std::string_view chat_lane) {
    return "commands:" + std::string(chat_lane);
}

} // namespace postrider::agent::flow
