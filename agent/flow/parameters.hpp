#pragma once
// Parameters against the schema of their type.
//
// The schema of each type is JSON Schema (agent/json_schema/json_schema.hpp), type object. Every property has
// "title" and "description", and "default", "enum" and the like as they fit. Ours beyond the
// standard:
//
//     "x-expression": false    must be constant; elsewhere a text may hold {{ expressions }}
//     "x-from-ai": true        its expressions may take values from the model: $from_ai
//     "x-multiline": true      wants a large field
//     "x-markup": "format"     HTML where that parameter comes to "html", or to headers that say so: what
//                              expressions insert is escaped; "always": it is HTML in any case
//     "x-answer-headers": true headers of an answer: some are left out (answer_headers.hpp)
//     "x-reference": "model"   the name of something elsewhere (references.hpp): model, bot, flow, secret, …
//     "x-provider": "openai"   the model that it refers to must be one of this provider
//     "x-models": "openai"     the provider's own name of one of its models
//     "x-below": "/hooks/"     a path of the server's, below this one
//     "x-secret": true         what it refers to is secret; always with a reference, never a value
//     "x-format": "duration"   duration, instant, cron, timezone, path; json_schema, spam_rules (of an object);
//                              expression: one without braces, evaluated by the node, of $json alone
#include "agent/expression/template.hpp"
#include "agent/flow/catalog.hpp"

namespace postrider::agent::flow {

// Adds the defaults of what is not written. Some are expressions, so it comes before evaluating.
void fill_defaults(boost::json::object& parameters, node_type const& type);

// Evaluated parameters made fit for their node: a member that came out as null is as if not
// written, numbers and flags are texts where the type wants texts, constant defaults are filled in.
// invalid where they do not fit then; the detail is for people.
base::result<boost::json::object> fit_parameters(
    boost::json::object evaluated, node_type const& type, catalog const& types
);

// True where a text may be something else when the flow runs.
bool holds_expression(std::string_view text) noexcept;
// Likewise of anything within.
bool holds_expression(boost::json::value const& value) noexcept;

// A value and the schema that describes it, as far as properties and items lead.
struct described {
    boost::json::object const& schema;
    boost::json::value const& value;
    std::string path; // JSON Pointer into the parameters

    // The mark's text; "" = not there.
    std::string_view mark(std::string_view name) const noexcept;
};
void for_each_described(
    boost::json::object const& schema,
    boost::json::value const& value,
    std::function<void(described const&)> const& call
);

// What keeps the constant from being of its "x-format"; "" = nothing.
std::string format_violation(std::string_view format, boost::json::value const& value);

// True of "html", and of headers with a media type that browsers read tags of.
bool says_html(boost::json::value const& markup);
// JSON Pointers to the texts that are HTML, given the evaluated parameters that say so.
std::vector<std::string> html_texts(boost::json::object const& parameters, node_type const& type);
// The same while they are evaluated. The type outlives the rule.
markup_rule markup_of(node_type const& type);

// The parameter's value, or its default; null when there is neither.
boost::json::value const* given_or_default(
    boost::json::object const& parameters, node_type const& type, std::string_view name
);

} // namespace postrider::agent::flow
