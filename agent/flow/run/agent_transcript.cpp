#include "agent/flow/run/agent_transcript.hpp"

#include "agent/flow/chat/history.hpp"

namespace postrider::agent::flow {

void agent_transcript::begin(
    std::vector<chat_message> earlier, chat_message question, std::optional<std::string> memories
) {
    opening_ = std::move(earlier);
    opening_.push_back(std::move(question));
    memories_ = std::move(memories);
}

void agent_transcript::add_result(
    tool_call const& call,
    std::string text,
    bool is_error,
    int round,
    std::vector<shown_image> images,
    std::string_view error_reason
) {
    results_.push_back({call.name, text, is_error, call.arguments, round, std::string(error_reason)}
    );
    rounds_.push_back(result_of(call, std::move(text), is_error, error_reason));
    rounds_.back().images = std::move(images);
}

std::vector<chat_message> agent_transcript::messages() const {
    auto all_messages = opening_;
    all_messages.insert(all_messages.end(), rounds_.begin(), rounds_.end());
    return all_messages;
}

boost::json::array agent_transcript::tools_used() const {
    boost::json::array names;
    for (auto const& name : tools_used_) names.emplace_back(name);
    return names;
}

} // namespace postrider::agent::flow
