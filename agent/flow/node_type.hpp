#pragma once
// A kind of node as a registered value: its ports, its parameters, what it says about itself, and
// what it does. A new one is one file in nodes/ and one line in nodes/catalog.cpp.
#include "agent/flow/document/definition.hpp"
#include "agent/flow/node_run.hpp"
#include "agent/flow/trigger.hpp"

#include <boost/json/object.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace postrider::agent::flow {

struct port {
    std::string name = "main";
    part_kind const* kind = nullptr; // of the parts that it connects; null: items pass
    int least = 0;                   // connections that an input must have
    int most = 0;                    // and may have; 0 = any number
    std::string title = {};
    // More outputs come from a parameter, a constant list of {"name": …}: a switch's rules. They
    // stand before this one.
    std::string from_parameter = {};
};

// Called once for each item that comes in. Without I/O: not recorded, computed anew at every run.
struct pure {
    std::function<base::result<outputs>(item_run const& run)> execute;
    bool fails_on_purpose = false; // the flow's author wants it so: nobody needs to be told
    bool keeps_items = false;      // every item that comes out is one that came in
};

// Called once with all items; acts through the steps of its run.
struct durable {
    std::function<base::awaitable<base::result<outputs>>(node_run& run)> execute;
    // Parameters that are the started message's where they are not written.
    std::vector<std::string> from_message = {};
    // Every item that comes out is one that came in, whatever these parameters are; absent: never.
    std::function<bool(boost::json::object const& parameters)> keeps_items = {};
    // It may wait for long, and a message of the chat that started it does not end the wait: in a lane
    // with that mailbox ("" = not known) the chat's next messages wait too; absent: never.
    std::function<bool(boost::json::object const& parameters, std::string_view mailbox)>
        holds_chat = {};
};

using behaviour = std::variant<trigger, pure, durable, part>;

// Under which people find a type; a part is found under its kind's.
enum class group { trigger, logic, action, agent, part };

struct node_type {
    std::string name; // "telegram.message"
    int version = 1;
    flow::group group = group::action;
    std::string title;         // "Telegram message"
    std::string documentation; // a few sentences in Markdown
    std::vector<port> inputs = {};
    std::vector<port> outputs = {};
    // JSON Schema of the parameters, type object: parameters.hpp says what it may hold.
    boost::json::object parameters = {};
    flow::behaviour behaviour = trigger{};
};

// The outputs of a node of that type: those of its parameter, and "error" where its errors go
// there.
std::vector<port> outputs_of(node_type const& type, node const& of);

bool is_trigger(node_type const& type) noexcept;
bool is_part(node_type const& type) noexcept;
std::string_view group_of(node_type const& type) noexcept;

// "main", or the name of the kind of its parts: the type of its connections.
std::string_view kind_of(port const& at) noexcept;

// What GET /api/v1/node-types says of a type.
boost::json::object to_json(node_type const& type);

} // namespace postrider::agent::flow
