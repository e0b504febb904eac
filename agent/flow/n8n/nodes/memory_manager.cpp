#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view memory_manager_types[]{"memoryManager"};

void map_memory_manager(translation& in) {
    bool const clears = in.word("mode") == "delete" && in.word("deleteMode", "lastN") == "all";
    if (!clears) return in.become_placeholder("it read or wrote single messages of a memory");
    in.become("memory.clear");
}

} // namespace

extern constinit mapping const memory_manager_mapping{
    .types = memory_manager_types, .map = map_memory_manager, .items = passing::same};

} // namespace postrider::agent::flow::n8n
