#include "agent/group/compaction.hpp"

namespace postrider::agent::group {

namespace {

constexpr std::size_t bytes_of_a_token = 4;

constexpr std::string_view request =
    "Summarize these chat messages into a brief paragraph (under 200 words).\n"
    "Focus on: topics discussed, key points, ongoing threads.";

} // namespace

std::int64_t tokens_of(std::size_t bytes) noexcept {
    return static_cast<std::int64_t>(bytes / bytes_of_a_token);
}

std::int64_t tokens_of(context const& conversation, base::time_zone const& zone) {
    return tokens_of(text_of(conversation, zone).size());
}

compaction_plan plan_compaction(
    context const& conversation, std::int64_t threshold, base::time_zone const& zone
) {
    auto const half = conversation.messages.size() / 2;
    if (half == 0 || tokens_of(conversation, zone) <= threshold) return {};
    compaction_plan plan{half, std::string(request)};
    if (!conversation.summary.empty())
        plan.prompt.append("\n\nWhat came before:\n").append(conversation.summary);
    plan.prompt += '\n';
    for (std::size_t message = 0; message < half; ++message)
        plan.prompt.append("\n").append(
            line_of(conversation.messages[message], conversation.chat, zone)
        );
    return plan;
}

} // namespace postrider::agent::group
