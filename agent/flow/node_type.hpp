#pragma once
// A kind of node as a registered value: its ports, its parameters, what it says about itself, and
// what it does. A new one is one file in nodes/ and one line in nodes/catalog.cpp.
#include "agent/flow/definition.hpp"
#include "agent/flow/node_run.hpp"
#include "base/json_schema.hpp"

#include <boost/json/object.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace postrider::agent::flow {

struct port {
    std::string name = "main";
    connection_kind kind = connection_kind::main;
    int least = 0; // connections that an input must have
    int most = 0;  // and may have; 0 = any number
    std::string title = {};
    // Outputs of a switch and the like come from a parameter: an array of {"name": …}.
    std::string from_parameter = {};
};

// Starts executions; passes on what started them.
struct trigger {};

// Called once for each item that comes in. Without I/O: not recorded, computed anew at every run.
struct pure {
    std::function<base::result<outputs>(item_run const& run)> execute;
};

// Called once with all items; acts through the steps of its run.
struct durable {
    std::function<base::awaitable<base::result<outputs>>(node_run& run)> execute;
};

// Hangs on an agent node, by an ai_ connection.
struct part {
    std::function<base::result<ai_part>(part_run const& run)> make;
};

using behaviour = std::variant<trigger, pure, durable, part>;

enum class group { trigger, logic, action, agent, model, memory, tool };
std::string_view to_string(group g) noexcept;

struct node_type {
    std::string name; // "telegram.message"
    int version = 1;
    flow::group group = group::action;
    std::string title;         // "Telegram message"
    std::string documentation; // a few sentences in Markdown
    std::vector<port> inputs;
    std::vector<port> outputs;
    // JSON Schema of the parameters, type object. Each has "title" and "description"; "default",
    // "enum" and the like as they fit. Ours: "x-secret": true (a reference to configuration, shown
    // masked), "x-expression": false (must be constant), "x-multiline": true, "x-from-ai": true
    // ($from_ai is allowed).
    boost::json::object parameters;
    flow::behaviour behaviour;
};

// The types that a process knows, by name; the newest version of each, and older ones that flows
// may still name. Read-only once built.
class catalog {
public:
    // The logic, and everything else that needs no services: nodes/catalog.cpp.
    void add(node_type type);
    node_type const* find(std::string_view name, int version) const noexcept;
    std::vector<node_type const*> all() const; // by group, then by name
    // Compiled once, with the type.
    base::json_schema const& schema_of(node_type const& type) const;

private:
    struct entry {
        node_type type;
        base::json_schema schema;
    };
    std::map<std::pair<std::string, int>, entry, std::less<>> types_;
};

// What GET /api/v1/node-types says of a type.
boost::json::object to_json(node_type const& type);

} // namespace postrider::agent::flow
