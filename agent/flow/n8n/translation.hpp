#pragma once
// One node of n8n's on its way to a node of ours: what a mapping reads of the one and writes of the other.
#include "agent/flow/n8n/expression/conversion.hpp"
#include "agent/flow/n8n/workflow.hpp"

#include <functional>
#include <map>
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
        conversion_budget& budget,
        problem_list& problems
    )
        : flow_(flow),
          index_(node),
          around_(around),
          budget_(budget),
          problems_(problems) {}

    workflow const& flow() const { return flow_; }
    std::size_t index() const { return index_; }
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
    // Its text has an expression in it.
    bool is_computed(std::string_view path) const;

    // Expressions converted. What cannot be keeps its text, and is a problem.
    boost::json::value converted(std::string_view key, boost::json::value const& value);
    // The same where what expressions give is markup, which n8n inserts as it is.
    boost::json::value converted_markup(std::string_view key, boost::json::value const& value);
    // The same of JSON that is written as a text, with expressions in it where "=" is in front. Where one expression
    // is the whole text and gives a text, that is read as JSON.
    boost::json::value converted_json(std::string_view key, boost::json::value const& text);
    // The same of a number, which an expression may give as a text: this function reads it.
    boost::json::value converted_number(
        std::string_view key, boost::json::value const& value, std::string_view reader = "int"
    );
    // The parameter there becomes the parameter here; false: it is missing or empty.
    bool put(std::string_view key, std::string_view path);
    bool put_markup(std::string_view key, std::string_view path);
    bool put_number(std::string_view key, std::string_view path);
    void put_value(std::string_view key, boost::json::value value);
    // A field of the item by its path, "a.b", as an expression of ours. Without a path, and where items here have
    // no such field, it is null, which is a problem.
    std::string field(std::string_view key, std::string_view path);
    // The names that members of the items have here which come in.
    renamed_members renamed_here() const { return around_.renamed_here(); }
    // All items of a node of that name, none where it did not run, as an expression of ours. Nothing: there is none.
    struct items_here {
        std::string source;
        renamed_members renamed;
    };
    std::optional<items_here> items_of(std::string_view node) const;
    // A value as a part of an expression of ours; nothing: it cannot be, which is a problem.
    std::optional<conversion> operand(std::string_view key, boost::json::value const& value);

    // n8n's conditions as an expression of ours: {"combinator", "conditions"}, or those of its first version.
    // Without: what cannot be converted, which is a problem.
    std::optional<std::string> condition(std::string_view key, boost::json::value const& filter);
    void put_condition(std::string_view key, boost::json::value const* filter);

    // The name under which the configuration is to have a credential of the node's, and what kind of an entry.
    std::string credential(
        std::string_view key, std::string_view usual, std::string_view entry = {}
    );
    void become(std::string type) { draft.type = std::move(type); }
    // Nothing here does what it did.
    void become_placeholder(std::string reason);
    void attach(std::string connection, std::string type, boost::json::object parameters);

    // `path`: of n8n's parameter, which the message then names as n8n does; usually that which became `key`.
    void warn(
        std::string code,
        std::string_view key,
        std::string message,
        std::string hint = {},
        std::string_view path = {}
    );
    // The expression was not converted: an error.
    void refuse_expression(std::string_view key, unconverted const& reason);

    draft_node draft = {};
    std::vector<draft_part> attached = {};
    std::string placeholder_reason = {};
    std::vector<std::string> variables = {};
    std::vector<std::string> remarks = {};
    // Of a trigger: its requests are answered with the items of the last nodes.
    bool answers_with_last = false;

private:
    std::string converted_text(std::string_view key, std::string_view text, bool is_markup = false);
    // Of a parameter that has a value; a resource locator's is its own.
    boost::json::value const* written_value(std::string_view path) const;
    // The same for our parameter, whose problems then name n8n's.
    boost::json::value const* value_for(std::string_view key, std::string_view path);
    std::optional<conversion> convert_piece(std::string_view key, std::string_view source);
    std::optional<std::string> comparison(
        std::string_view key, boost::json::object const& condition, bool ignores_case
    );
    boost::json::value const* text_value(std::string_view path) const;
    // `words`: of n8n's parameter; may be "".
    void add_problem(problem problem, std::string_view key, std::string const& words);
    void remember(conversion const& done);

    workflow const& flow_;
    std::size_t index_;
    surroundings const& around_;
    conversion_budget& budget_;
    problem_list& problems_;
    std::map<std::string, std::string, std::less<>> sources_; // n8n's paths, by our keys
};

// An expression as a parameter of ours.
std::string in_braces(std::string_view source);
// Lower letters, digits and "_" of a name, to call something by; not empty.
std::string identifier_of(std::string_view name, std::string_view usual = "node");

// JSON that n8n has as a text. With "=" in front it may have {{ expressions }}, also outside of its strings; without,
// braces are text. The strings of the value are parameters of n8n's: translation::converted() reads them. Nothing: it
// is no JSON, or a member's name is computed.
std::optional<boost::json::value> read_json_template(std::string_view text);

} // namespace postrider::agent::flow::n8n
