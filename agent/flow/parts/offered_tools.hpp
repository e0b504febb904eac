#pragma once
// What an agent node offers its model: tools of the table, tools that are found elsewhere, and flows
// that are run as tools. All of one form; what they differ in is the work.
#include "agent/describe/bounds.hpp"
#include "agent/flow/document/definition.hpp"
#include "agent/json_schema/json_schema.hpp"
#include "agent/loop/tool_family.hpp"
#include "agent/models/model.hpp"
#include "agent/tools/tool.hpp"

#include <boost/json/object.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace postrider::agent::flow {

// As tool::run.
using tool_function = std::function<base::awaitable<base::result<tool_output>>(
    tool_context& context, boost::json::object arguments
)>;

// A flow that is run within the job, in steps of its own.
struct flow_call {
    std::string flow;
    // The flow's input: the model's arguments, and what the node says itself. The number tells calls
    // with the same arguments apart.
    std::function<base::result<boost::json::object>(boost::json::object const& arguments, int call)>
        input;
};

// A question to the person whom the execution answers, in steps of its own (run/ask_person.hpp).
struct question_call {
    std::chrono::milliseconds timeout = bounds::question_patience;
};

// A message, in steps of its own (run/send_by_tool.hpp): as tool::message.
using message_call = base::result<tool_message> (*)(
    boost::json::object const& settings, boost::json::object const& arguments
);

struct offered_tool {
    tool_spec spec;                    // under the name that its node gives it
    std::string kind;                  // of its effects: "tool.remind"
    boost::json::object settings = {}; // of its node
    by_arguments<agent::risk> risk = agent::risk::medium;
    by_arguments<agent::risk> own_risk =
        agent::risk::medium; // that it has where the operator says nothing
    by_arguments<queue::effect_class> effect_class = queue::effect_class::pure; // of a function
    by_arguments<bool> is_instant = false;                                      // as of tool
    base::retry_policy tries = usual_tool_tries;                                // of a function
    std::size_t result_limit = usual_result_limit;
    bool returns_untrusted = false; // as of tool
    std::variant<tool_function, flow_call, question_call, message_call> work;
    std::string configured_as = {}; // NAME of [tools.NAME]; "" = as its spec is called
    tool_configuration configuration = {};
    bool (*is_set_up)(tool_configuration const& configuration) = nullptr; // as of tool
    flow::node const* node = nullptr; // that it hangs on the agent by; of the graph
    // That speaks for it. Null: a model does.
    tool_family const* family = nullptr;
};

// A tool of the table, under another name where one is given.
offered_tool offer(tool const& tool, std::string name = {}, boost::json::object settings = {});

// As the operator says: [tools.NAME] of all tools. False: it does not work so.
bool configure(
    offered_tool& tool, std::map<std::string, tool_configuration, std::less<>> const& configured
);

// Named tools in alphabetical order. Read-only once built; on the executor's thread.
class offered_tools {
public:
    // A tool of the same name is replaced. invalid: its parameters are no JSON Schema (see
    // agent/json_schema/json_schema.hpp).
    base::result<void> add(offered_tool added);
    offered_tool const* find(std::string_view name) const noexcept;
    tool_list const& specs() const;
    // Of all tools, each once.
    std::vector<tool_family const*> families() const;
    bool empty() const noexcept { return tools_.empty(); }

    // A call that fits its tool, with the defaults of the tool's schema.
    struct checked_call {
        offered_tool const* tool = nullptr;
        boost::json::object arguments;
    };
    // not_found: no such tool; invalid: the arguments do not fit, with a line for each violation.
    base::result<checked_call> check(tool_call const& call) const;

private:
    struct entry {
        offered_tool tool;
        json_schema::schema parameters;
    };

    std::map<std::string, entry, std::less<>> tools_;
    mutable std::optional<tool_list> specs_; // of them, once somebody has asked
};

} // namespace postrider::agent::flow
