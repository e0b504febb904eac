// A kind of part that the product does not have: a shelf, from which a memory reads. All of it is here, apart
// from its types' lines in the table of scratch_nodes.cpp.
#include "agent/flow/nodes/read_node_type.hpp"
#include "agent/flow/parts/memory.hpp"

namespace postrider::agent::flow {

namespace {

struct shelf {
    std::string text;
};
constexpr part_kind_of<shelf> ai_shelf{{"ai_shelf", "shelf"}};

base::awaitable<base::result<shelf>> make_shelf(part_run& run) {
    co_return shelf{std::string(run.parameters.at("text").as_string())};
}

class shelved_memory final : public memory {
public:
    explicit shelved_memory(shelf of) : of_(std::move(of)) {}

    base::awaitable<base::result<recollection>> recall(std::string_view, queue::workflow&)
        override {
        recollection recollected;
        recollected.messages.push_back({.role = role::user, .content = of_.text});
        co_return recollected;
    }

private:
    shelf of_;
};

base::awaitable<base::result<memory_part>> make_memory(part_run& run) {
    auto const connected = run.parts.connected(ai_shelf);
    auto offer = co_await run.parts.make(ai_shelf, connected.at(0));
    if (!offer) co_return offer.error();
    co_return memory_part{std::make_shared<shelved_memory>(std::move(*offer))};
}

} // namespace

node_type describe_shelf() {
    return read_node_type(
        R"({
            "name": "shelf.scratch",
            "title": "Shelf",
            "description": "Holds a text.",
            "parameters": {"properties": {"text": {"title": "Text", "description": "Which.", "type": "string"}}, "required": ["text"]}
        })",
        part_of(ai_shelf, make_shelf)
    );
}

node_type describe_shelved_memory() {
    return read_node_type(
        R"({
            "name": "memory.shelved",
            "title": "Shelved memory",
            "description": "Remembers what stands on its shelf.",
            "inputs": [{"name": "ai_shelf", "type": "ai_shelf", "least": 1, "most": 1, "title": "where it looks"}]
        })",
        part_of(ai_memory, make_memory)
    );
}

} // namespace postrider::agent::flow
