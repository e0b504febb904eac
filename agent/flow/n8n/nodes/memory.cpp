#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view memory_types[]{
    "memoryBufferWindow",
    "memoryPostgresChat",
    "memoryRedisChat",
    "memoryMongoDbChat",
    "memoryXata",
    "memoryZep",
    "memoryMotorhead"};

void map_memory(translation& in) {
    in.become("memory.window");
    in.draft.outputs = {"ai_memory"};
    // A chat's own session is the lane's conversation, also without a name.
    if (in.word("sessionIdType") == "customKey" || in.find("sessionKey"))
        in.put("session_id", "sessionKey");
    if (auto const turns = in.number("contextWindowLength"); turns && *turns >= 1 && *turns <= 500)
        in.put_value("max_messages", static_cast<std::int64_t>(*turns) * 2);
    if (in.node().short_type() != "memoryBufferWindow")
        in.warn(
            "n8n_parameter",
            "",
            "the memory is kept in this server's database",
            "what n8n's has is not carried over"
        );
}

} // namespace

extern constinit mapping const memory_mapping{.types = memory_types, .map = map_memory};

} // namespace postrider::agent::flow::n8n
