#pragma once
// What an agent was asked, said and found out for one item, over all its rounds: what the next
// round is sent, and what the answer tells of the tools. Private to the agent node.
#include "agent/loop/decide.hpp"
#include "agent/loop/report.hpp"

#include <boost/json/array.hpp>

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace postrider::agent::flow {

class agent_transcript {
public:
    // What was said before, the question, and what a memory recalls beside them, in lines, if one ever does.
    void begin(
        std::vector<chat_message> earlier,
        chat_message question,
        std::optional<std::string> memories = {}
    );
    std::optional<std::string> const& memories() const noexcept { return memories_; }
    chat_message const& question() const { return opening_.back(); }
    // What was said before, and the question behind it.
    std::span<chat_message const> opening() const noexcept { return opening_; }
    // Of the question, among messages().
    std::size_t question_place() const noexcept { return opening_.size() - 1; }

    // A message of a round: the model's, or one to it.
    void add(chat_message message) { rounds_.push_back(std::move(message)); }
    // What the model was told to mend is for nobody else.
    void forget_rounds() { rounds_.clear(); }
    // What came of a call, as a message and as a result.
    void add_result(
        tool_call const& call,
        std::string text,
        bool is_error,
        int round,
        std::vector<shown_image> images = {},
        std::string_view error_reason = {}
    );
    void note_use(tool_call const& call) { tools_used_.insert(call.name); }
    // The answer is to mention it.
    void note_for_the_answer(reported_call call) { reported_.push_back(std::move(call)); }

    // Everything, in order, as the model is sent it.
    std::vector<chat_message> messages() const;
    bool in_first_round() const noexcept { return rounds_.empty(); }
    std::vector<tool_result> const& results() const noexcept { return results_; }
    std::vector<reported_call> const& reported() const noexcept { return reported_; }
    boost::json::array tools_used() const;

private:
    std::vector<chat_message> opening_;
    std::optional<std::string> memories_;
    std::vector<chat_message> rounds_;
    std::vector<tool_result> results_;
    std::set<std::string> tools_used_;
    std::vector<reported_call> reported_;
};

} // namespace postrider::agent::flow
