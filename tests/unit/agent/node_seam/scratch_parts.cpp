#include "tests/unit/agent/node_seam/scratch_parts.hpp"

#include "agent/flow/nodes/read_node_type.hpp"
#include "agent/flow/parts/memory.hpp"
#include "agent/flow/parts/tools.hpp"

namespace postrider::agent::flow {

namespace {

namespace json = boost::json;
using tests::outside;

base::awaitable<queue::step_value> list_tools() {
    ++outside.listings;
    if (!outside.failures.empty()) {
        auto failure = outside.failures.front();
        outside.failures.pop_front();
        co_return failure;
    }
    co_return json::value(json::array(outside.tools.begin(), outside.tools.end()));
}

base::awaitable<base::result<tool_output>> call_tool(std::string name) {
    outside.called.push_back(name);
    co_return "The answer of " + name;
}

offered_tool tool_named(std::string name) {
    offered_tool tool;
    tool.spec.name = name;
    tool.spec.parameters = json::object{{"type", "object"}};
    tool.kind = "tool.scratch";
    tool.work = [name](tool_context&, json::object) { return call_tool(name); };
    return tool;
}

base::awaitable<base::result<tool_part>> make_server(part_run& run) {
    auto const listed = co_await run.steps.try_step(run.step, {}, list_tools);
    if (!listed) co_return listed.error();
    tool_part part;
    part.lasting = false;
    for (auto const& name : listed->as_array())
        part.tools.push_back(tool_named(std::string(name.as_string())));
    co_return part;
}

base::awaitable<queue::step_value> search(std::string question) {
    outside.questions.push_back(std::move(question));
    co_return json::value(outside.remembered);
}

base::awaitable<queue::step_value> write_down(std::vector<kept_message> const& messages) {
    for (auto const& [message, position] : messages) outside.written.push_back(message.content);
    if (outside.is_full) co_return base::error(base::errc::refused, "the diary is full");
    co_return json::value(true);
}

class scratch_memory final : public memory {
public:
    base::awaitable<base::result<recollection>> recall(
        std::string_view question, queue::workflow& steps
    ) override {
        auto const work = [asked = std::string(question)] { return search(asked); };
        auto const found = co_await steps.try_step(recall_step, {}, work);
        if (!found) co_return found.error();
        recollection recollected;
        recollected.messages.push_back(
            {.role = role::user, .content = std::string(found->as_string())}
        );
        co_return recollected;
    }

    base::awaitable<base::result<void>> remember(
        std::vector<kept_message> messages, queue::workflow& steps
    ) override {
        auto const work = [&messages] { return write_down(messages); };
        auto const written = co_await steps.try_step(remember_step, {}, work);
        if (!written) co_return written.error();
        co_return base::result<void>{};
    }
};

base::awaitable<base::result<memory_part>> make_diary(part_run&) {
    memory_part part;
    part.memory = std::make_shared<scratch_memory>();
    part.site = memory_site::outside;
    co_return part;
}

} // namespace

node_type describe_server() {
    return read_node_type(
        R"({
            "name": "tool.scratch",
            "title": "Server",
            "description": "Offers the tools that a server has."
        })",
        part_of(ai_tool, make_server)
    );
}

node_type describe_diary() {
    return read_node_type(
        R"({
            "name": "memory.scratch",
            "title": "Diary",
            "description": "Searches a diary that is kept elsewhere."
        })",
        part_of(ai_memory, make_diary)
    );
}

} // namespace postrider::agent::flow
