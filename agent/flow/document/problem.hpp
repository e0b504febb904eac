#pragma once
// What is wrong with a flow, for people, on the command line and over the API alike.
#include "base/json/pointer.hpp"

#include <boost/json/object.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

enum class severity {
    error,   // the flow cannot be published
    warning, // it can, but somebody should look
};
std::string_view to_string(severity severity) noexcept;

struct problem {
    std::string code = {};    // stable: "unknown_type", "missing_parameter", "cycle", …
    std::string path = {};    // JSON Pointer into the document: "/nodes/3/parameters/model"
    std::string message = {}; // what is wrong
    std::string hint = {};    // what to do about it; may be ""
    std::string node = {};    // the node's name; "" = the flow as a whole
    flow::severity severity = severity::error;
};

boost::json::object to_json(problem const& problem);
// "Assistant (/nodes/1/parameters/system_prompt): … — hint"
std::string to_text(problem const& problem);

bool any_error(std::vector<problem> const& problems) noexcept;

// The codes that there are, with what they mean, as docs/flows.md lists them. A reference has its own
// (agent/flow/validate/references.hpp).
struct problem_code {
    std::string_view code;
    std::string_view meaning;
};
std::span<problem_code const> problem_codes() noexcept;

// Problems as they are found, at most so many: a hostile document does not get a longer list than
// a person reads. For what is beyond stands a last problem, "more_problems", which is an error when
// one of them is.
class problem_list {
public:
    explicit problem_list(std::size_t most) : most_(most) {}

    void add(problem problem);
    bool empty() const noexcept { return listed_.empty(); }
    bool full() const noexcept { return listed_.size() >= most_; }
    // Whatever else is found changes neither the list nor whether there is an error in it.
    bool decided() const noexcept { return beyond_ && errors_; }
    std::vector<problem> take() &&;

private:
    std::size_t most_;
    std::vector<problem> listed_;
    bool errors_ = false;
    bool beyond_ = false;
};

// A word of the document for a message: in double quotes, shortened when it is long.
std::string in_quotes(std::string_view word);
// "did you mean \"agent\"?", or the words themselves when they are few, or "". Looks for no
// likeness where that would take long.
std::string hint_for(std::string_view word, std::span<std::string const> candidates);
// A problem's path is a JSON Pointer.
using base::below;

} // namespace postrider::agent::flow
