#pragma once
// Runs changed rules over messages of the past and compares their decisions with those of today's rules. Pure. The memory that it
// takes depends on the authors of one group, not on the messages.
//
// Authors are approved by their messages as the node spam.check does it, under each of the rules by itself. CAS and models say
// nothing here, and who runs a group is not known.
#include "agent/spam/knowledge.hpp"
#include "agent/spam/message.hpp"
#include "agent/spam/rules.hpp"
#include "agent/spam/verdict.hpp"
#include "base/ids.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace postrider::agent::spam {

inline constexpr int usual_messages_until_approved = 3;

struct past_message {
    chat_id chat{};
    std::int64_t message = 0;
    spam::message content;
    bool is_by_approved = false; // its author was approved before the first message
};

struct replay_rules {
    rules current = {};
    rules changed = {};
    int enough = usual_messages_until_approved;
};

struct replayed_message {
    chat_id chat{};
    std::int64_t message = 0;
    spam::author author;
    std::string text;
    std::chrono::sys_seconds sent_at{};
    double points_before = 0;
    double points_after = 0;
    std::string reason; // of the decision that it is spam, whichever rules make it
};

// How the points of one check differ, over all messages.
struct check_difference {
    std::int64_t more = 0; // messages to which the changed rules give more
    std::int64_t less = 0;
    double before = 0; // points of all messages
    double after = 0;
};

struct replay_result {
    std::int64_t judged = 0;
    std::int64_t spam_before = 0;
    std::int64_t spam_after = 0;
    std::int64_t caught = 0;  // by the changed rules alone
    std::int64_t missed = 0;  // by them alone
    std::int64_t changed = 0; // the same decision with other points
    // The newest of those that are caught and missed, the oldest first.
    std::vector<replayed_message> newly_caught = {};
    std::vector<replayed_message> newly_missed = {};
    bool is_cut = false; // there were more messages than are judged at once
    // Of the checks that differ, by their names.
    std::map<std::string, check_difference, std::less<>> checks = {};
};

class replay {
public:
    explicit replay(replay_rules rules = {}, std::size_t most_listed = 100)
        : rules_(std::move(rules)),
          most_listed_(most_listed) {}

    // For the messages that come from now on: groups may have rules of their own.
    void use(replay_rules rules) { rules_ = std::move(rules); }
    // Group by group, each from its oldest message on.
    void add(past_message const& past, knowledge const& learned);
    replay_result& result() noexcept { return result_; }

private:
    // Messages that passed, under each of the rules.
    struct passed_messages {
        int before = 0;
        int after = 0;
    };

    verdict judge_as(
        past_message const& past, knowledge const& learned, rules const& rules, int& passed
    ) const;
    void compare(verdict const& before, verdict const& after);
    void list(std::vector<replayed_message>& into, replayed_message message) const;

    replay_rules rules_;
    std::size_t most_listed_;
    replay_result result_;
    chat_id chat_{};
    recent_messages recent_;
    std::map<std::int64_t, passed_messages> authors_;
};

} // namespace postrider::agent::spam
