#pragma once
// Says in a question that it was withdrawn, and takes its buttons away: its turn does not wait for it any
// more, since it was cancelled, begun anew or failed (sql/functions/questions.sql makes the job). A job of
// its own, in a lane beside the chat's.
#include "agent/talk/messenger.hpp"
#include "queue/workflow.hpp"

namespace postrider::agent {

inline constexpr std::string_view question_end_kind = "question_end";

// The messenger outlives the engine.
queue::job_kind make_question_ends(messenger& out);

} // namespace postrider::agent
