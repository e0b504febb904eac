#pragma once
// What a model can have done: tools, and the set of them that an agent offers.
//
// A tool's failures are texts for the model, so that it can mend its call or tell the user. Whether
// a failure is worth another try says its code (base::retryable).
#include "agent/models/model.hpp"
#include "base/clock.hpp"
#include "base/ids.hpp"
#include "base/json_schema.hpp"

#include <boost/json/object.hpp>

#include <map>
#include <memory>

namespace postrider::agent {

// How much harm a wrong call can do.
enum class risk {
    low,    // reads, or changes nothing that matters
    medium, // changes something that can be undone
    high,   // cannot be undone, or touches others
};
std::string_view to_string(risk r) noexcept;

// Who calls, and in which turn; never part of what a model fills in.
struct tool_context {
    bot_id bot{};
    chat_id chat{};
    user_id user{};
    job_id job{};
    std::string call_id; // unique within the node of the job, the same at every try
};

class tool {
public:
    virtual ~tool() = default;
    virtual tool_spec const& spec() const = 0;
    virtual agent::risk risk() const = 0;
    // The arguments fit spec().parameters. The result is UTF-8 text;
    // the detail of an error is shown to the model.
    virtual base::awaitable<base::result<std::string>> run(
        boost::json::object arguments, tool_context context
    ) = 0;
};

// Named tools in alphabetical order. Owns them. Read-only once built.
class tool_set {
public:
    // A tool of the same name is replaced. invalid: its parameters are no JSON Schema (see
    // base/json_schema.hpp).
    base::result<void> add(std::shared_ptr<tool> added);
    tool* find(std::string_view name) const noexcept;
    std::vector<tool_spec> specs() const;
    bool empty() const noexcept { return tools_.empty(); }

    // The arguments of a call that fits a tool of the set, with the defaults of its schema; else as
    // run() fails.
    base::result<boost::json::object> check(tool_call const& call) const;
    // Finds the tool, checks the arguments and runs it. not_found: no such tool; invalid: the
    // arguments do not fit, with a line for each misfit; and what the tool itself returns.
    base::awaitable<base::result<std::string>> run(tool_call call, tool_context context) const;

private:
    struct entry {
        std::shared_ptr<tool> own;
        base::json_schema::schema parameters;
    };

    std::map<std::string, entry, std::less<>> tools_;
};

// calculator(expression) and current_time(timezone?). The clock must outlive them.
std::unique_ptr<tool> make_calculator();
std::unique_ptr<tool> make_current_time(base::clock& clock);

// The tools that every agent has.
tool_set builtin_tools(base::clock& clock);

} // namespace postrider::agent
