#include "agent/talk/degradation.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent {

namespace {

using base::errc;

constexpr std::array all_degradations{
    degradation_kind{
        degraded_by::undelivered,
        "undelivered",
        errc::refused,
        "a message to a person was refused for good"},
    degradation_kind{
        degraded_by::delivery_unknown,
        "delivery_unknown",
        errc::ambiguous,
        "it is unknown whether a message to a person arrived"},
    degradation_kind{
        degraded_by::model_failed,
        "model_failed",
        errc::unavailable,
        "no model answered: the person got an explanation, or an answer by rules"},
    degradation_kind{
        degraded_by::budget_empty,
        "budget_empty",
        errc::budget,
        "a budget was used up before there was an answer"},
    degradation_kind{
        degraded_by::model_declined,
        "model_declined",
        errc::refused,
        "the model declined to answer"},
    degradation_kind{
        degraded_by::empty_answer,
        "empty_answer",
        errc::invalid,
        "the model's answer was empty: the person got a fixed sentence, or what the tools "
        "returned"},
    degradation_kind{
        degraded_by::answer_cut, "answer_cut", errc::too_large, "the model's answer was cut off"},
    degradation_kind{
        degraded_by::loop_stopped,
        "loop_stopped",
        errc::refused,
        "the agent called its tools in circles and was stopped"},
    degradation_kind{
        degraded_by::limit_reached,
        "limit_reached",
        errc::too_large,
        "the agent wanted more tool calls or iterations than it may have"},
    degradation_kind{
        degraded_by::question_expired,
        "question_expired",
        errc::timeout,
        "nobody answered a question or decided an approval in time"},
    degradation_kind{
        degraded_by::command_failed,
        "command_failed",
        errc::unavailable,
        "a command could not be done, and the person was asked to try again"},
    degradation_kind{
        degraded_by::node_failed,
        "node_failed",
        errc::internal,
        "a node failed, and the flow continued (on_error: continue)"},
    degradation_kind{
        degraded_by::tools_missing,
        "tools_missing",
        errc::unavailable,
        "the model was not offered all tools of its agent"},
    degradation_kind{
        degraded_by::images_missing,
        "images_missing",
        errc::unavailable,
        "the model did not see all images of the message"},
    degradation_kind{
        degraded_by::documents_missing,
        "documents_missing",
        errc::unavailable,
        "the model did not read all documents of the message"},
    degradation_kind{
        degraded_by::memory_degraded,
        "memory_degraded",
        errc::unavailable,
        "the agent answered without its memory, or could not add to it at once"},
    degradation_kind{
        degraded_by::knowledge_degraded,
        "knowledge_degraded",
        errc::unavailable,
        "documents were searched by their words alone, or got no vectors"},
    degradation_kind{
        degraded_by::late, "late", errc::timeout, "a reminder was sent later than it was due"},
    degradation_kind{
        degraded_by::unread_message,
        "unread_message",
        errc::invalid,
        "the message was of a kind that the bot cannot read, and the person was told so"},
};

degradation_kind const& kind_of_degradation(degraded_by reason) noexcept {
    return *std::ranges::find(all_degradations, reason, &degradation_kind::reason);
}

// What is not in the table is the least grave.
auto gravity(queue::degradation const& degradation) noexcept {
    return std::ranges::find(all_degradations, degradation.reason, &degradation_kind::word);
}

} // namespace

std::span<degradation_kind const> degradation_kinds() noexcept {
    return all_degradations;
}

std::string_view to_string(degraded_by reason) noexcept {
    return kind_of_degradation(reason).word;
}

std::optional<degraded_by> degraded_by_from_string(std::string_view word) noexcept {
    auto const entry = std::ranges::find(all_degradations, word, &degradation_kind::word);
    if (entry == all_degradations.end()) return std::nullopt;
    return entry->reason;
}

queue::degradation degradation_of(degraded_by reason) {
    auto const& kind = kind_of_degradation(reason);
    return degradation_of(reason, base::error(kind.error_class, std::string(kind.description)));
}

queue::degradation degradation_of(degraded_by reason, base::error error) {
    return {std::string(to_string(reason)), std::move(error)};
}

void keep_graver(std::optional<queue::degradation>& current, queue::degradation candidate) {
    if (!current || gravity(candidate) < gravity(*current)) current = std::move(candidate);
}

} // namespace postrider::agent
