#pragma once
// A kind of node as a registered value: its ports, its parameters, what it says about itself, and
// what it does. A new one is a pair of files in nodes/ and a line in nodes/node_types.def.
#include "agent/flow/document/definition.hpp"
#include "agent/flow/node_run.hpp"
#include "agent/flow/trigger.hpp"

#include <boost/json/object.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace postrider::agent::flow {

// Of port::items: each item that comes out is one that came in.
inline constexpr std::string_view same_items = "same";

struct port {
    std::string name = "main";
    std::string type =
        std::string(main_connection); // of its connections: "main", or a kind of parts
    int least = 0;                    // connections that an input must have
    int most = 0;                     // and may have; 0 = any number
    std::string title = {};
    // More outputs come from a parameter, a constant list of {"name": …}: a switch's rules. They
    // stand before this one.
    std::string from_parameter = {};
    // Of a node that goes over its body in rounds (node_run::run_round): the output that leads into the
    // body, or an input that takes what comes back.
    bool is_loop = false;
    // The items of an output: "same", or a JSON Schema. Its "properties" are all the fields that an
    // item has; without them nothing is known of its fields. Marks of ours add fields:
    //
    //     "x-same": true          those of the item that came in; of a parameter's name: if it is true
    //     "x-fields": "fields"    those of that parameter, an object
    boost::json::value items = {};
};

// Called once for each item that comes in. Without I/O: not recorded, computed anew at every run.
struct pure {
    std::function<base::result<outputs>(item_run const& run)> execute;
    bool fails_on_purpose = false; // the flow's author wants it so: nobody needs to be told
};

// Called once with all items; acts through the steps of its run.
struct durable {
    std::function<base::awaitable<base::result<outputs>>(node_run& run)> execute;
    // Parameters that are the started message's where they are not written.
    std::vector<std::string> from_message = {};
    // With these parameters every item that comes out is one that came in; absent: if all outputs
    // say "same".
    std::function<bool(boost::json::object const& parameters)> keeps_items = {};
    // The parameter by which it may wait for long, where a message of the chat that started it does not end the wait:
    // in a lane with that mailbox ("" = not known) the chat's next messages wait too. "", or absent: never.
    std::function<std::string_view(boost::json::object const& parameters, std::string_view mailbox)>
        holds_chat = {};
    // A link ends its wait (parts/resume_link.hpp); absent: never.
    std::function<bool(boost::json::object const& parameters)> has_link = {};
    // A type that does the same with an expression, for advice; absent, or "": none is known.
    std::function<std::string_view(boost::json::object const& parameters)> simpler_type = {};
};

using behaviour = std::variant<trigger, pure, durable, part>;

// Under which people find a type; a part is found under its kind's.
enum class group { trigger, logic, action, agent, part };

struct node_example {
    std::string title;
    boost::json::object parameters;
};

// What nodes/NAME.json says (nodes/read_node_type.hpp), and the behaviour of nodes/NAME.cpp.
struct node_type {
    std::string name; // "telegram.message"
    int version = 1;
    flow::group group = group::action;
    std::string title;            // "Telegram message"
    std::string description = {}; // one sentence
    std::string documentation;    // it and a few more, in Markdown
    std::vector<port> inputs = {};
    std::vector<port> outputs = {};
    // JSON Schema of the parameters, type object: parameters.hpp says what it may hold.
    boost::json::object parameters = {};
    std::vector<node_example> examples = {};
    flow::behaviour behaviour = trigger{};
};

// The outputs of a node of that type: those of its parameter, and "error" where its errors go
// there.
std::vector<port> outputs_of(node_type const& type, node const& of);

// The output that leads into the body of the type's loop; "" = it has none.
std::string_view body_output(node_type const& type) noexcept;
// The input takes what comes back from the body.
bool takes_back(node_type const& type, std::string_view input) noexcept;

bool is_trigger(node_type const& type) noexcept;
bool is_part(node_type const& type) noexcept;
std::string_view group_of(node_type const& type) noexcept;
// Nothing: no such group, or that of parts, which follows from their kind.
std::optional<group> group_named(std::string_view name) noexcept;

// Every item that comes out of the node is one that came in.
bool keeps_items(node_type const& type, node const& of);
bool has_same_items(port const& output) noexcept;
// The schema of the output's items; null: nothing is known of them, or they are the same.
boost::json::object const* item_schema(port const& output) noexcept;

// Of a trigger with declared fields: the schema of the item that starts an execution; else null.
boost::json::object const* started_item(node_type const& type) noexcept;

// What GET /api/v1/node-types says of a type.
boost::json::object to_json(node_type const& type);

} // namespace postrider::agent::flow
