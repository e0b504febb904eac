#include "server/cli/chat_turn.hpp"

#include "server/cli/finding.hpp"

#include <fmt/format.h>

namespace postrider::cli {

void chat_turn::begin() {
    turn_.reset();
    failure_.reset();
    ended_.clear();
    is_over_ = waits_ = false;
    may_ask_ = false;
}

void chat_turn::hear(terminal::chat_event const& event) {
    if (event.type == "watching" && event.job) turn_ = event.job;
    bool const is_end = event.type == "done" || event.type == "failed" || event.type == "cancelled";
    if (is_end && event.job) ended_.insert_or_assign(*event.job, event);
    follow();
    if (event.type == "turn") {
        waits_ = event.state == "waiting";
        may_ask_ = may_ask_ || !waits_;
    }
    bool const is_said = event.type == "message" && event.message.role != "user";
    if (!is_said && event.type != "message_removed") return;
    std::erase_if(open_, [&](auto const& message) { return message.id == event.message.id; });
    if (is_said && !terminal::answers_of(event.message).empty()) open_.push_back(event.message);
    may_ask_ = true;
}

// The turn that took the message in may have ended before the one that says so. An end counts once.
void chat_turn::follow() {
    while (turn_ && !is_over_) {
        auto const end = ended_.extract(*turn_);
        if (end.empty()) return;
        if (end.mapped().answered_by)
            turn_ = end.mapped().answered_by;
        else
            finish(end.mapped());
    }
}

void chat_turn::finish(terminal::chat_event const& end) {
    is_over_ = true;
    if (end.type != "done") failure_ = end.text;
    open_.clear();
}

terminal::chat_message const* chat_turn::question() const {
    return waits_ && may_ask_ && !open_.empty() ? &open_.back() : nullptr;
}

std::string pause_text(terminal::chat_event const& event) {
    if (event.type != "turn" || event.paused.empty()) return {};
    if (event.paused == "lane")
        return fmt::format(
            "its lane is paused; `postrider lanes resume {}` resumes it", in_shell(event.lane)
        );
    return "everything is paused; `postrider resume` resumes it";
}

} // namespace postrider::cli
