#pragma once
// Takes the buttons of a question away that its turn does not wait for any more, since it was cancelled,
// begun anew or failed (sql/functions/questions.sql makes the job). A job of its own, in a lane beside
// the chat's.
#include "agent/talk/messenger.hpp"
#include "queue/workflow.hpp"

namespace postrider::agent {

inline constexpr std::string_view question_end_kind = "question_end";

// The messenger outlives the engine.
queue::job_kind make_question_ends(messenger& out);

} // namespace postrider::agent
