#pragma once
// One of those that answer for an agent: a model, or the fixed rules behind the last model. Private to the
// agent node.
#include "agent/flow/run/agent_transcript.hpp"
#include "agent/flow/run/question_images.hpp"
#include "queue/workflow.hpp"

#include <optional>
#include <string>

namespace postrider::agent::flow {

// What a round asks; the transcript outlives it.
struct round_question {
    agent_transcript const& transcript;
    tool_choice choice = tool_choice::automatic;
    bool first = true;
    int most_calls = 0;                      // of tools, in all rounds of the item
    question_images* images = nullptr;       // of the question; null = none
    std::optional<base::error> failure = {}; // of those that were asked before
    std::string_view language = {};          // of the person who is told of it
    std::string_view instruction =
        {}; // what is asked behind the transcript; "" = its question asks
};

class respondent {
public:
    virtual ~respondent() = default;

    // `gives_way`: another one answers where this one fails. It is tried for no longer than one call
    // may take then, and nobody waits for its breaker.
    virtual base::awaitable<base::result<chat_reply>> ask(
        round_question const& round, bool gives_way
    ) = 0;
    // True when the next reply stands in the record.
    virtual bool recorded() const = 0;
    // As they were when the reply came that ask() returned: the configuration may be another by now.
    virtual loop_limits limits() const = 0;

    virtual std::string const& step() const noexcept = 0; // that asks it
    virtual std::string const& name() const = 0;
    virtual queue::usage used() const noexcept = 0;
    virtual bool is_rules() const noexcept { return false; }
};

} // namespace postrider::agent::flow
