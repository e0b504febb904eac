#include "server/cli/chat_turn.hpp"

namespace postrider::cli {

void chat_turn::begin() {
    turn_.reset();
    failure_.reset();
    is_over_ = waits_ = false;
    may_ask_ = false;
}

void chat_turn::hear(chat_event const& event) {
    if (event.type == "watching" && event.job) turn_ = event.job;
    if (event.type == "done" || event.type == "failed" || event.type == "cancelled") end(event);
    if (event.type == "turn") {
        waits_ = event.state == "waiting";
        may_ask_ = may_ask_ || !waits_;
    }
    bool const is_said = event.type == "message" && event.message.role != "user";
    if (!is_said && event.type != "message_removed") return;
    std::erase_if(open_, [&](auto const& message) { return message.id == event.message.id; });
    if (is_said && !answers_of(event.message).empty()) open_.push_back(event.message);
    may_ask_ = true;
}

void chat_turn::end(chat_event const& event) {
    if (!turn_ || event.job != turn_) return;
    if (event.answered_by) {
        turn_ = event.answered_by;
        return;
    }
    is_over_ = true;
    if (event.type != "done") failure_ = event.text;
    open_.clear();
}

chat_message const* chat_turn::question() const {
    return waits_ && may_ask_ && !open_.empty() ? &open_.back() : nullptr;
}

} // namespace postrider::cli
