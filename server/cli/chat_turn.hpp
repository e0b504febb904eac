#pragma once
// What a client of a conversation knows of the turn that answers its message: whether it is over,
// and whether it waits for the person. Pure.
#include "server/terminal/chat_event.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace postrider::cli {

class chat_turn {
public:
    // A message is on its way; the stream that answers it names its turn.
    void begin();
    void hear(terminal::chat_event const& event);

    // The stream has named it, and it neither has ended nor waits for the person.
    bool runs() const { return turn_ && !is_over_ && !question(); }
    // It has ended, or the one that took its message in.
    bool is_over() const noexcept { return is_over_; }
    // Why it ended without what was asked for, in plain words.
    std::optional<std::string> const& failure() const noexcept { return failure_; }
    // What it waits for; null: for nothing that a person could answer. An answer that was given
    // counts until something new is heard.
    terminal::chat_message const* question() const;
    void note_answer() { may_ask_ = false; }

private:
    void follow();
    void finish(terminal::chat_event const& end);

    std::optional<job_id> turn_;
    std::map<job_id, terminal::chat_event> ended_; // told since begin(), and not yet followed
    bool is_over_ = false;
    std::optional<std::string> failure_;
    bool waits_ = false;
    bool may_ask_ = true;
    std::vector<terminal::chat_message> open_; // messages with buttons that answer, the newest last
};

// Of a turn that is paused: that it is, and the command that lets it go on. "" of everything else.
std::string pause_text(terminal::chat_event const& event);

} // namespace postrider::cli
