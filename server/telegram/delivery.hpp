#pragma once
// One update's rows: the units that the intake commits. First the inbox row; when that is new, what
// follows from the update.
#include "agent/flow/start/execution_unit.hpp"
#include "server/telegram/group_watch.hpp"
#include "storage/stores/albums.hpp"
#include "storage/stores/inbox.hpp"
#include "storage/stores/message_counts.hpp"
#include "storage/stores/questions.hpp"
#include "storage/stores/request_keys.hpp"

namespace postrider::telegram {

// The inbox row of an update with this disposition.
storage::inbox_row inbox_row_of(bot_id bot, update_id update, disposition const& decided);

// So many messages a minute are taken of one person; 0 = any number.
struct message_rate {
    int most = 0;
    agent::flow::heard_message message = {};
};

// One of several messages that were sent as one. Each comes by an update of its own.
struct album_part {
    storage::request_key album;
    std::string words; // that came with it
};

// An update that starts a turn. One beyond the limit of its person is ignored by the rule
// messages_per_minute; the first of them in a minute is answered with that. Of an album the first part starts
// the turn, on whichever node the parts arrive, and the others become events of it. Of one that nothing here
// can read the others are ignored by the rule no_text.
class turn_delivery final : public agent::flow::execution_unit {
public:
    turn_delivery(
        storage::inbox_row inbox,
        message_rate limit,
        std::optional<album_part> part,
        std::shared_ptr<agent::flow::execution_start const> start,
        std::optional<lane_id> known_lane
    )
        : execution_unit(std::move(start), known_lane),
          inbox_(std::move(inbox)),
          limit_(std::move(limit)),
          part_(std::move(part)) {}

    // After the commit: it is new, and ignored.
    bool is_ignored() const noexcept {
        return beyond_ || album_.outcome == storage::album_outcome::explained;
    }
    // It belongs to the turn of another part of its album.
    bool has_joined() const noexcept { return album_.outcome == storage::album_outcome::joined; }

private:
    storage::inbox_row const* update() const override { return &inbox_; }
    bool needs_stages() const override { return limit_.most != 0 || part_; }
    std::optional<storage::write> gate() override;
    bool admits(storage::rows const& added) override { return !added.empty(); }
    std::vector<storage::write> meter() override;
    bool passes(std::vector<storage::rows> const& counted) override;
    bool may_join() const override { return part_.has_value(); }
    std::optional<storage::write> join() override;
    bool joins(storage::rows const& returned) override;
    std::vector<storage::write> follow(queue::enqueued const& job) override;
    std::vector<storage::write> decline(std::vector<storage::rows> const& returned) override;
    std::string_view language() const; // in which the person is told

    storage::inbox_row inbox_;
    message_rate limit_;
    std::optional<album_part> part_;
    std::optional<storage::message_count> beyond_;
    bool is_first_ = false; // of its album
    storage::album_answer album_;
};

// What happened in a group that a flow watches, where more than the job becomes true: an edit is stored, or a
// change of a member told to jobs that wait for it.
class watched_delivery final : public agent::flow::execution_unit {
public:
    using effect = decltype(watched_update::effect);

    watched_delivery(
        storage::inbox_row inbox,
        effect also,
        std::shared_ptr<agent::flow::execution_start const> start,
        std::optional<lane_id> known_lane
    )
        : execution_unit(std::move(start), known_lane),
          inbox_(std::move(inbox)),
          also_(std::move(also)) {}

private:
    storage::inbox_row const* update() const override { return &inbox_; }
    bool needs_stages() const override { return also_.index() != 0; }
    std::optional<storage::write> gate() override { return storage::add_update(inbox_); }
    bool admits(storage::rows const& added) override { return !added.empty(); }
    std::vector<storage::write> meter() override;
    // Either locks lanes: that of the edited message, those where a job waits.
    bool may_join() const override { return also_.index() != 0; }

    storage::inbox_row inbox_;
    effect also_;
};

// A press below a catch, which is a job. Presses of one button by one person within a minute are one job: the others are
// ignored by the rule repeated_press.
class catch_press_delivery final : public agent::flow::execution_unit {
public:
    catch_press_delivery(
        storage::inbox_row inbox,
        storage::request_key button,
        std::shared_ptr<agent::flow::execution_start const> start,
        std::optional<lane_id> known_lane
    )
        : execution_unit(std::move(start), known_lane),
          inbox_(std::move(inbox)),
          button_(std::move(button)) {}

    // After the commit: it is new, and another press of the button is the job.
    bool is_repeated() const noexcept { return is_repeated_; }

private:
    storage::inbox_row const* update() const override { return &inbox_; }
    std::optional<storage::write> gate() override;
    bool admits(storage::rows const& added) override { return !added.empty(); }
    std::vector<storage::write> meter() override { return {storage::claim_key(button_)}; }
    bool passes(std::vector<storage::rows> const& claimed) override;
    std::vector<storage::write> follow(queue::enqueued const& job) override;
    std::vector<storage::write> decline(std::vector<storage::rows> const& returned) override;

    storage::inbox_row inbox_;
    storage::request_key button_;
    bool is_repeated_ = false;
};

// A part of an album that starts nothing by itself, since it is said to others: it belongs to the turn of
// another part, or is ignored by the rule.
class part_delivery final : public storage::unit {
public:
    part_delivery(storage::inbox_row inbox, storage::album_message message, std::string_view rule)
        : inbox_(std::move(inbox)),
          message_(std::move(message)),
          rule_(rule) {}

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& returned)
        override;
    // It locks the lane of that turn.
    bool apart() const override { return true; }

    // After the commit.
    bool is_new() const noexcept { return is_new_; }
    bool has_joined() const noexcept { return has_joined_; }

private:
    storage::inbox_row inbox_;
    storage::album_message message_;
    std::string_view rule_; // a literal
    bool is_new_ = false;
    bool has_joined_ = false;
};

// A message that is kept for later executions and starts none. A part of an album belongs to the turn of
// another part, where there is one, and is not kept apart from it. Where its lane is deleted in the same
// moment it fails, and the update comes again.
class unanswered_delivery final : public storage::unit {
public:
    unanswered_delivery(
        storage::inbox_row inbox,
        storage::lane_row lane,
        storage::message_row message,
        std::optional<storage::album_message> part
    )
        : inbox_(std::move(inbox)),
          lane_(std::move(lane)),
          message_(std::move(message)),
          part_(std::move(part)) {}

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& returned)
        override;
    // A part of an album locks the lane of that turn.
    bool apart() const override { return part_.has_value(); }

    // After the commit.
    bool is_new() const noexcept { return is_new_; }
    bool has_joined() const noexcept { return has_joined_; }

private:
    std::vector<storage::write> keep();

    storage::inbox_row inbox_;
    storage::lane_row lane_;
    storage::message_row message_;
    std::optional<storage::album_message> part_;
    bool is_new_ = false;
    bool is_kept_ = false;
    bool has_joined_ = false;
};

// A press of a button: an event of the job that asked, where it answers its question.
class press_delivery final : public storage::unit {
public:
    press_delivery(storage::inbox_row inbox, storage::press_row press)
        : inbox_(std::move(inbox)),
          press_(std::move(press)) {}

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& returned)
        override;
    // It locks the lane of the job that asked.
    bool apart() const override { return true; }

    // After the commit.
    bool is_new() const noexcept { return is_new_; }
    storage::press_outcome outcome() const noexcept { return outcome_; }

private:
    storage::inbox_row inbox_;
    storage::press_row press_;
    bool is_new_ = false;
    storage::press_outcome outcome_ = storage::press_outcome::not_open;
};

// Any other update: an edit, or one that is recorded with what it tells of its chat.
class delivery final : public storage::unit {
public:
    // An update that is recorded and nothing else.
    explicit delivery(storage::inbox_row inbox) : inbox_(std::move(inbox)) {}
    delivery(bot_id bot, update_id update, disposition decided)
        : inbox_(inbox_row_of(bot, update, decided)),
          decided_(std::move(decided)) {}

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& returned)
        override;
    bool is_last(int number) const override { return number == 1; }
    // An edit locks its lane before the jobs of a batch lock theirs, and so does a move of a chat.
    bool apart() const override { return changes_lane(); }

    // After the commit.
    bool is_new() const noexcept { return is_new_; }

private:
    std::vector<storage::write> consequences() const;
    bool changes_lane() const;

    storage::inbox_row inbox_;
    disposition decided_ = to_nothing{};
    bool is_new_ = false;
};

} // namespace postrider::telegram
