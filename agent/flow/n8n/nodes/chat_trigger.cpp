#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view chat_trigger_types[]{"chatTrigger", "manualChatTrigger"};

constexpr renamed_member chat_members[]{
    {"chatInput", "text"}, {"sessionId", "conversation"}, {"input", "text"}};

renamed_members chat_trigger_members(translation const&) {
    return chat_members;
}

void map_chat_trigger(translation& in) {
    in.become("chat");
    in.put("greeting", "initialMessages");
}

} // namespace

extern constinit mapping const chat_trigger_mapping{
    .types = chat_trigger_types, .map = map_chat_trigger, .renamed = chat_trigger_members};

} // namespace postrider::agent::flow::n8n
