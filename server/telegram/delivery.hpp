#pragma once
// One update's rows: the unit that the intake commits. Stages: the inbox row; when that is new,
// what follows from the update; and the message of the job that was made.
#include "queue/store/enqueue.hpp"
#include "server/telegram/disposition.hpp"
#include "storage/batcher.hpp"
#include "storage/stores/inbox.hpp"
#include "storage/stores/messages.hpp"

#include <stdexcept>

namespace postrider::telegram {

// The lane of a job was deleted: thrown to roll the unit back alone, as the batcher does with a
// unit that fails; its outcome is errc::internal then.
struct lane_is_gone : std::runtime_error {
    lane_is_gone() : std::runtime_error("the lane of an update is gone") {}
};

class delivery final : public storage::unit {
public:
    // An update that is recorded and nothing else.
    explicit delivery(storage::inbox_row inbox) : inbox_(std::move(inbox)) {}
    // What decide() made of it. A to_job is completed by start_with().
    delivery(bot_id bot, update_id update, disposition what);

    // The job of a to_job, and the message (its text is the update's).
    void start_with(queue::new_job job, storage::message_row message);

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& returned)
        override;
    bool is_last(int number) const override { return number == 2 || (number == 1 && !job_); }
    // An edit locks its lane before the jobs of a batch lock theirs, and so does a move of a chat.
    bool apart() const override { return !job_ && changes_lane(); }

    // After the commit.
    bool is_new() const noexcept { return is_new_; }
    bool lane_was_gone() const noexcept { return lane_was_gone_; }
    std::optional<queue::enqueued> const& made() const noexcept { return made_; }

private:
    std::vector<storage::write> consequences() const;
    bool changes_lane() const;

    storage::inbox_row inbox_;
    disposition what_ = to_nothing{};
    std::optional<queue::new_job> job_;
    storage::message_row message_;
    bool is_new_ = false;
    bool lane_was_gone_ = false;
    std::optional<queue::enqueued> made_;
};

// Makes sure that a lane exists.
class lane_wish final : public storage::unit {
public:
    lane_wish(bot_id bot, std::optional<chat_id> chat, std::string key, storage::lane_manner manner)
        : bot_(bot),
          chat_(chat),
          key_(std::move(key)),
          manner_(std::move(manner)) {}

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& returned)
        override;
    bool is_last(int) const override { return true; }

    lane_id lane() const noexcept { return lane_; }

private:
    bot_id bot_;
    std::optional<chat_id> chat_;
    std::string key_;
    storage::lane_manner manner_;
    lane_id lane_{};
};

} // namespace postrider::telegram
