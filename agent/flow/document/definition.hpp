#pragma once
// A flow as people write it: one JSON document of nodes and typed connections. docs/flows.md
// describes the format, flows/flow.schema.json publishes it.
//
// A definition that was read may still be wrong in what it means: see validate.hpp. What the format
// does not know is kept in the document and comes back out unchanged.
#include "agent/flow/document/problem.hpp"
#include "base/backoff.hpp"

#include <boost/json/value.hpp>

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace postrider::agent::flow {

// What a hostile document is refused for before anything else is looked at.
struct definition_limits {
    std::size_t bytes = 4u << 20;
    std::size_t depth = 32;
    std::size_t nodes = 1000;
    std::size_t connections = 5000;
    std::size_t problems = 100; // listed at most
};

// The type of the connections that items travel along. Others have the name of a kind of part.
inline constexpr std::string_view main_connection = "main";

// What a node's failure does to the execution.
enum class error_strategy {
    fail,         // ends it
    carry_on,     // "continue": an item {"error": {…}} goes out of the main output
    error_output, // "error_output": the same out of the output "error"
};
std::string_view to_string(error_strategy strategy) noexcept;
std::optional<error_strategy> error_strategy_from_string(std::string_view name) noexcept;

struct node {
    std::string id;   // stable, names its steps: [A-Za-z0-9_-]{1,40}
    std::string name; // unique in the flow, no other node's id; what $node["…"] says
    std::string type; // "agent"
    int type_version = 1;
    std::optional<std::pair<double, double>> position; // where a drawing has it: [x, y]
    boost::json::object parameters;
    bool disabled = false;
    std::string notes;
    error_strategy on_error = error_strategy::fail;
    // Of its step that acts: "retry": {"tries", "delay"}. Absent: as the type sees fit.
    std::optional<base::retry_policy> retry;
    std::string path; // "/nodes/3", for problems

    // The type's own policy, or tries as are asked for here, each with the time that the type has.
    base::retry_policy tries(base::retry_policy usual) const;
};

struct connection {
    std::string type = std::string(main_connection);
    std::size_t from = 0; // index of a node
    std::string output;   // port; where it is not written, the type: "main", "ai_model"
    std::size_t to = 0;
    std::string input; // likewise
    std::string path;  // "/connections/0"

    bool carries_items() const noexcept { return type == main_connection; }
};

struct settings {
    std::string lane;    // template of the lane key; "" = the trigger's own
    std::string mailbox; // a word of queue::mailbox; "" = the lane's own
    std::optional<std::chrono::milliseconds> debounce;
    std::optional<std::chrono::milliseconds> timeout; // of an execution
    std::string help;                                 // what /start and /help say; "" = the usual
    std::map<std::string, std::string, std::less<>> help_in; // the same by the code of a language
    std::string error_flow;        // run when an execution fails; "" = none
    boost::json::object variables; // $vars
};

struct definition {
    std::string name; // of the flow: [a-z0-9][a-z0-9_-]{0,62}
    std::string description;
    flow::settings settings;
    std::vector<node> nodes;
    std::vector<connection> connections;
    boost::json::object document; // all of it, as it was given

    std::optional<std::size_t> find(std::string_view id_or_name) const noexcept;
};

// Everything that is wrong with the form is listed, with paths. Never throws, whatever the text;
// a text also has no member twice.
using read_definition_result = std::variant<definition, std::vector<problem>>;
read_definition_result read_definition(std::string_view text, definition_limits limits = {});
read_definition_result read_definition(
    boost::json::value const& document, definition_limits limits = {}
);

// What of a document could not be read. What would follow from that alone is no problem more.
struct gaps {
    bool nodes = false;               // one is not there, or its id
    bool names = false;               // or its name
    bool connections = false;         // one is not there, or nobody knows from where to where
    std::set<std::size_t> parameters; // of these nodes
};

// A document as far as it can be read: to look for what else is wrong with it, never to be kept or
// run. What is wrong with its form goes to the list; nothing comes back for a text that is no JSON
// object within the limits. Where the list has nothing new, there are no gaps.
struct partial_definition {
    definition flow;
    flow::gaps gaps;
};
std::optional<partial_definition> read_partially(
    std::string_view text, problem_list& problems, definition_limits limits = {}
);

// The published JSON Schema of the format, as it is embedded, and read.
std::string_view definition_schema_text();
boost::json::value const& definition_schema();

} // namespace postrider::agent::flow
