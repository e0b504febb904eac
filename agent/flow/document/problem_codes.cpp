#include "agent/flow/document/problem.hpp"

namespace postrider::agent::flow {

namespace {

constexpr problem_code codes[]{
    // Of the form.
    {"not_json", "the text is not JSON; the message has the line and the column"},
    {"too_large", "the text is larger than 4 MiB"},
    {"too_deep", "it is nested deeper than 32 levels"},
    {"too_many_nodes", "there are more than 1000 nodes"},
    {"too_many_connections", "there are more than 5000 connections"},
    {"duplicate_member", "an object has a member twice"},
    {"number_out_of_range", "a number is beyond what a double holds"},
    {"unknown_member", "the format has no such member, but one with a similar name"},
    {"unknown_format", "the document's `format` is not 1"},
    {"missing_member", "a required member is missing"},
    {"wrong_type", "a member is of the wrong JSON type"},
    {"invalid_text", "a text is empty, too long or has characters that are not allowed"},
    {"invalid_duration", "a text is not a span of time"},
    {"unknown_word", "a text is not one of the allowed words"},
    {"out_of_range", "a number is too small or too large"},
    {"too_long", "a span of time is too long"},
    {"duplicate_id", "two nodes have the same id"},
    {"duplicate_name", "two nodes have the same name, or the name of one is the id of another"},
    {"unknown_node", "a connection or an expression names a node that does not exist"},
    // Of the nodes.
    {"unknown_type", "there is no such node type"},
    {"unknown_version", "the type has no such version"},
    {"missing_parameter",
     "a parameter that the type requires is missing, or the value of a parameter is `null`"},
    {"unknown_parameter", "the type has no such parameter"},
    {"invalid_parameter", "a parameter does not fit the type's schema"},
    {"parameter_choice",
     "exactly one of several parameters is required, but none or more than one is given"},
    {"expression", "an expression cannot be parsed; the message has the column"},
    {"too_many_expressions", "there are more than 10000 expressions, or more than 256 KiB of them"},
    {"expression_not_allowed", "a parameter that must be constant contains an expression"},
    {"from_ai_not_allowed", "`$from_ai` is used where no model supplies values"},
    {"simpler_node", "another type of node can do this with an expression; the message names it"},
    {"raw_html", "an expression inserts data as HTML markup, by `html_raw()`"},
    {"header_left_out", "a header of the answer is not sent; the message has the reason"},
    {"unknown_field", "an expression reads a field that the items do not have"},
    {"not_before", "`$node` names a node that does not run before this one"},
    {"not_yet",
     "`settings.lane` uses a variable that only an execution has; only `$json` and `$vars` exist"},
    {"wrong_provider", "the model of that name belongs to another provider than the node requires"},
    {"not_callable", "the flow that a node calls has no *Manual* trigger"},
    // Of the connections.
    {"unknown_output", "a connection begins at an output that the node does not have"},
    {"unknown_input", "a connection ends at an input that the node does not have"},
    {"wrong_connection", "the types of a connection and its port differ"},
    {"duplicate_connection", "two connections are identical"},
    {"surplus_connection", "an input has too many connections, for example a second memory"},
    {"missing_connection",
     "an input has too few connections, for example an agent without a model"},
    {"duplicate_output", "two outputs of a node have the same name"},
    {"duplicate_tool", "two tools of an agent have the same name"},
    {"cycle",
     "the connections lead in a circle outside of a loop; the message names its nodes in order"},
    {"outside_loop", "a connection leads back into a loop from a node that is not in it"},
    {"into_loop", "a connection leads into the middle of a loop from a node outside"},
    // Of the flow.
    {"no_trigger", "nothing starts the flow"},
    {"bad_schedule", "the times of a schedule trigger cannot be read; the message has the reason"},
    {"path_taken",
     "another published flow, or another node of this one, has the webhook's method and path"},
    {"unknown_chat",
     "a node acts in a chat, but neither its parameters nor its trigger name the chat"},
    {"chat_waits",
     "a node may wait for long, and the next messages of the chat that started it wait behind it"},
    {"no_approver",
     "a tool may need an approval in executions that have no chat, and there are no approvers"},
    {"model_without_tools", "an agent has tools, and a model that takes none"},
    {"rivalled_trigger",
     "the trigger of another published flow takes the same messages; the message says which "
     "flow they start"},
    {"unreachable", "nothing leads to a node"},
    {"more_problems", "there are more problems than the list shows"},
};

} // namespace

std::span<problem_code const> problem_codes() noexcept {
    return codes;
}

} // namespace postrider::agent::flow
