#pragma once
// Why an execution that completed is degraded: somebody did not get what was asked for, or all of it.
// One table of reasons, the gravest first; a job has one, the gravest of those that came up. The
// words are stable: the database, the API, the command line, the log and a metric have them. Pure.
#include "queue/workflow.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace postrider::agent {

enum class degraded_by {
    undelivered,
    delivery_unknown,
    model_failed,
    budget_empty,
    model_declined,
    empty_answer,
    answer_cut,
    loop_stopped,
    limit_reached,
    question_expired,
    command_failed,
    node_failed,
    tools_missing,
    images_missing,
    documents_missing,
    memory_degraded,
    knowledge_degraded,
    late,
    unread_message,
};

struct degradation_kind {
    degraded_by reason{};
    std::string_view word;
    base::errc error_class{};
    std::string_view description;
};

std::span<degradation_kind const> degradation_kinds() noexcept; // the gravest first

std::string_view to_string(degraded_by reason) noexcept;
std::optional<degraded_by> degraded_by_from_string(std::string_view word) noexcept;

// With the reason's own class and description, or with what happened.
queue::degradation degradation_of(degraded_by reason);
queue::degradation degradation_of(degraded_by reason, base::error error);

// The graver of the two stays; of two alike the first.
void keep_graver(std::optional<queue::degradation>& current, queue::degradation candidate);

} // namespace postrider::agent
