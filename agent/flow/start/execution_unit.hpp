#pragma once
// The rows that begin one execution, as a unit of the intake's batcher: its lane where that is not
// known, its job, its first message. What an intake adds (is the request new, which job answers it) it
// puts before and behind them by deriving from the unit. All of it commits together.
//
// A command is answered by a job in a lane of its own, next to the lane of its chat: neither a turn that
// waits there nor one that runs holds it up. Its message stands in the chat's history, and what it
// changes there changes in the same commit: a turn ends, the next conversation opens.
//
// What begins in a known lane, where nothing but its inbox row may keep it out, is one statement, where
// all units of the batch are such (storage/one_stage.hpp). A unit that starts again takes its stages.
#include "queue/store/enqueue.hpp"
#include "storage/one_stage.hpp"
#include "storage/stores/inbox.hpp"
#include "storage/stores/lanes.hpp"
#include "storage/stores/messages.hpp"
#include "storage/stores/turn_end.hpp"

#include <memory>
#include <stdexcept>

namespace postrider::agent::flow {

struct command_start {
    queue::new_job job;                         // with a lane next to the start's
    bool opens_conversation = false;            // the job is the last of the open one
    std::optional<storage::turn_end> ends = {}; // its lane is filled in
    // Where no turn ends the message is no command: the start's own job begins.
    bool needs_turn = false;
};

struct execution_start {
    storage::lane_row lane;
    queue::new_job job;                               // its lane is looked up by the lane's key
    std::optional<storage::message_row> message = {}; // the turn's first; its ids are filled in
    std::optional<command_start> command = {};        // instead of the job
};

// The lane of the commands in the chat whose lane has this key.
std::string lane_key_of_commands(std::string_view chat_lane);

// The lane of a job was deleted: thrown to roll the unit back alone, as the batcher does with a
// unit that fails; its outcome is errc::internal then.
struct lane_is_gone : std::runtime_error {
    lane_is_gone() : std::runtime_error("the lane of an execution is gone") {}
};

class execution_unit : public storage::one_stage_unit {
public:
    // Without a known lane it is created in the same commit.
    execution_unit(std::shared_ptr<execution_start const> start, std::optional<lane_id> known_lane)
        : start_(std::move(start)),
          known_lane_(known_lane) {}

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& returned) final;
    bool is_last(int /*number*/) const final;
    bool fits_one_stage() const final;
    std::vector<storage::write> only_stage() final;
    // A command locks its chat's lane and its own, in this order, whatever a batch locks.
    bool apart() const final { return start_->command.has_value() || may_join(); }

    // Before the commit: it takes its stages, also where it would fit into one.
    void take_stages() noexcept { by_stages_ = true; }

    // After the commit.
    std::optional<queue::enqueued> const& job() const noexcept { return job_; }
    std::optional<lane_id> ensured_lane() const noexcept { return ensured_lane_; }
    // What job() is: the start's, or its command's.
    queue::new_job const& enqueued_job() const noexcept { return begun_ ? *begun_ : start_->job; }
    bool ended_turn() const noexcept { return ended_.job.has_value(); }
    // Nothing was stored: the lane is gone, or the same update came with another unit of the batch.
    // Only where it fitted into one stage; one that takes its stages finds out.
    bool is_undecided() const noexcept { return undecided_; }
    // After a commit that failed with errc::internal, too.
    bool lane_was_gone() const noexcept { return lane_was_gone_; }

protected:
    std::string const& lane_key() const noexcept { return start_->lane.key; }
    // Once it was admitted.
    lane_id lane() const { return ensured_lane_ ? *ensured_lane_ : *known_lane_; }
    boost::json::value const& input() const noexcept {
        return (start_->command ? start_->command->job : start_->job).input;
    }
    storage::message_row const* message() const {
        return start_->message ? &*start_->message : nullptr;
    }
    // False where nothing below is overridden but update(): the execution may begin in one stage.
    virtual bool needs_stages() const { return true; }
    // The update whose turn this is. In one stage its inbox row decides whether the turn begins; by
    // stages the gate does.
    virtual storage::inbox_row const* update() const { return nullptr; }
    // A row that decides whether the execution begins; it is asked for together with the lane.
    virtual std::optional<storage::write> gate() { return std::nullopt; }
    virtual bool admits(storage::rows const& /*of_the_gate*/) { return true; }
    // Rows that count what the gate has admitted; they may still keep it out.
    virtual std::vector<storage::write> meter() { return {}; }
    virtual bool passes(std::vector<storage::rows> const& /*of_the_meter*/) { return true; }
    // It may belong to a job that is there: then it locks that job's lane.
    virtual bool may_join() const { return false; }
    // A row that finds that out, behind the meter; where it does, the execution does not begin.
    virtual std::optional<storage::write> join() { return std::nullopt; }
    virtual bool joins(storage::rows const& /*returned*/) { return false; }
    // Instead of the execution's rows where one of these kept it out, until it asks for nothing.
    virtual std::vector<storage::write> decline(std::vector<storage::rows> const& /*returned*/) {
        return {};
    }
    // Rows that go with the job.
    virtual std::vector<storage::write> follow(queue::enqueued const& /*job*/) { return {}; }

private:
    enum class phase {
        at_once,
        admission,
        metering,
        joining,
        ending_turn,
        finding_lane,
        enqueueing,
        declined,
        over
    };

    void reset(phase first) noexcept;
    std::vector<storage::write> begin();
    void conclude(storage::rows const& returned);
    std::vector<storage::write> pass_gate(std::vector<storage::rows> const& returned);
    std::vector<storage::write> count();
    std::vector<storage::write> pass_meter(std::vector<storage::rows> const& counted);
    std::vector<storage::write> look_for_job();
    std::vector<storage::write> decline_first();
    std::vector<storage::write> begin_job();
    std::vector<storage::write> pass_end(storage::rows const& returned);
    std::vector<storage::write> find_command_lane();
    std::vector<storage::write> enqueue_command(lane_id beside);
    storage::write command_message() const;
    // A command writes into its chat's lane without enqueueing there, so it makes sure of it.
    bool looks_for_lane() const { return !known_lane_ || start_->command; }
    std::vector<storage::write> enqueue();
    std::vector<storage::write> complete(storage::rows const& returned);

    std::shared_ptr<execution_start const> start_;
    std::optional<lane_id> known_lane_;
    phase phase_ = phase::admission;
    bool by_stages_ = false;
    bool gated_ = false;
    bool undecided_ = false;
    bool lane_was_gone_ = false;
    std::optional<lane_id> ensured_lane_;
    storage::stopped_turn ended_;
    std::optional<queue::new_job> begun_; // of a command
    std::optional<queue::enqueued> job_;
};

// An execution that nothing keeps out.
class ungated_unit final : public execution_unit {
public:
    using execution_unit::execution_unit;

private:
    bool needs_stages() const override { return false; }
};

} // namespace postrider::agent::flow
