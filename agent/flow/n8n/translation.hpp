#pragma once
// One node of n8n's on its way to a node of ours: what a mapping reads of the one and writes of the other.
#include "agent/flow/n8n/expression/conversion.hpp"
#include "agent/flow/n8n/workflow.hpp"

#include <functional>
#include <span>

namespace postrider::agent::flow::n8n {

// What becomes of a node.
struct draft_node {
    std::string type = {}; // of ours
    boost::json::object parameters = {};
    std::vector<std::string> outputs = {"main"}; // by n8n's number
    std::vector<std::string> inputs = {};        // by n8n's number; beyond, and for one: "main"
    bool disabled = false;
    std::string returns_to = {}; // the input of what comes back by a circle
    bool left_out = false; // others say what it says: a parser of answers is its agent's schema
    std::string notes = {};
};
// A node more that hangs on it: the model of a node that asks one itself.
struct draft_part {
    std::string connection; // "ai_model"
    std::string type;
    boost::json::object parameters;
};

class translation {
public:
    translation(
        workflow const& flow,
        std::size_t node,
        surroundings const& around,
        std::vector<problem>& problems
    )
        : flow_(flow),
          index_(node),
          around_(around),
          problems_(problems) {}

    workflow const& flow() const { return flow_; }
    workflow_node const& node() const { return flow_.nodes[index_]; }
    workflow_node const& part(std::size_t index) const { return flow_.nodes[index]; }
    std::vector<std::size_t> parts(std::string_view kind) const {
        return flow_.feeders(index_, kind);
    }

    // A parameter by its path, "options.systemMessage"; null: there is none.
    boost::json::value const* find(std::string_view path) const;
    // A plain text, or that of a resource locator {"value"}; `usual` where there is none.
    std::string word(std::string_view path, std::string_view usual = {}) const;
    std::optional<double> number(std::string_view path) const;
    bool is_true(std::string_view path) const;

    // Expressions converted. What cannot be keeps its text, and is a problem.
    boost::json::value converted(std::string_view key, boost::json::value const& value);
    // The same of JSON that is written as a text, with expressions in it.
    boost::json::value converted_json(std::string_view key, boost::json::value const& text);
    // The parameter there becomes the parameter here; false: it is missing or empty.
    bool put(std::string_view key, std::string_view path);
    void put_value(std::string_view key, boost::json::value value);
    // A field of the item by its path, "a.b", as an expression of ours.
    std::string field(std::string_view path) const;
    // A value as a part of an expression of ours; nothing: it cannot be, which is a problem.
    std::optional<conversion> operand(std::string_view key, boost::json::value const& value);

    // n8n's conditions as an expression of ours: {"combinator", "conditions"}, or those of its first version.
    // Without: what cannot be converted, which is a problem.
    std::optional<std::string> condition(std::string_view key, boost::json::value const& filter);
    void put_condition(std::string_view key, boost::json::value const* filter);

    // The name under which the configuration is to have a credential of the node's.
    std::string credential(std::string_view key, std::string_view usual);
    void become(std::string type) { draft.type = std::move(type); }
    // Nothing here does what it did.
    void become_placeholder(std::string reason);
    void attach(std::string connection, std::string type, boost::json::object parameters);

    void warn(std::string code, std::string_view key, std::string message, std::string hint = {});

    draft_node draft = {};
    std::vector<draft_part> attached = {};
    std::string placeholder_reason = {};
    std::vector<std::string> variables = {};
    std::vector<std::string> remarks = {};

private:
    std::string converted_text(std::string_view key, std::string_view text);
    std::optional<conversion> convert_piece(std::string_view key, std::string_view source);
    std::optional<std::string> comparison(
        std::string_view key, boost::json::object const& condition, bool ignores_case
    );
    void remember(conversion const& done);
    void refuse_expression(std::string_view key, unconverted const& reason);

    workflow const& flow_;
    std::size_t index_;
    surroundings const& around_;
    std::vector<problem>& problems_;
};

// An expression as a parameter of ours.
std::string in_braces(std::string_view source);
// Lower letters, digits and "_" of a name, to call something by; not empty.
std::string identifier_of(std::string_view name, std::string_view usual = "node");

// JSON as a text with {{ expressions }}, also outside of its strings: a value whose strings are templates.
std::optional<boost::json::value> read_json_template(std::string_view text);

} // namespace postrider::agent::flow::n8n
