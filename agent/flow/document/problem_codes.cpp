#include "agent/flow/document/problem.hpp"

namespace postrider::agent::flow {

namespace {

constexpr problem_code codes[]{
    // Of the form.
    {"not_json", "the text is no JSON; the message has line and column"},
    {"too_large", "the text is larger than 4 MiB"},
    {"too_deep", "it is nested deeper than 32 levels"},
    {"too_many_nodes", "there are more than 1000 nodes"},
    {"too_many_connections", "there are more than 5000 connections"},
    {"duplicate_member", "a member of an object is there twice"},
    {"number_out_of_range", "a number is beyond what a double holds"},
    {"unknown_member", "the format has no such member, but one that is called nearly so"},
    {"unknown_format", "the document's `format` is not 1"},
    {"missing_member", "a member that must be there is not"},
    {"wrong_type", "a member is of the wrong JSON type"},
    {"invalid_text", "a text is empty, too long or has characters that do not belong there"},
    {"invalid_duration", "a text is no span of time"},
    {"unknown_word", "a text is not one of the allowed words"},
    {"out_of_range", "a number is too small or too large"},
    {"too_long", "a span of time is too long"},
    {"duplicate_id", "two nodes have one id"},
    {"duplicate_name", "two nodes have one name, or one's name is another's id"},
    {"unknown_node", "a connection or an expression names a node that is not there"},
    // Of the nodes.
    {"unknown_type", "there is no such node type"},
    {"unknown_version", "the type has no such version"},
    {"missing_parameter", "a parameter that the type needs is not there"},
    {"unknown_parameter", "the type has no such parameter"},
    {"invalid_parameter", "a parameter does not fit the type's schema"},
    {"parameter_choice", "none, or more than one, of parameters that exclude each other"},
    {"expression", "an expression does not parse; the message has its column"},
    {"too_many_expressions", "there are more than 10000 expressions, or more than 256 KiB of them"},
    {"expression_not_allowed", "a parameter that must be constant holds an expression"},
    {"from_ai_not_allowed", "`$from_ai` stands where no model gives values"},
    {"unknown_field",
     "an expression takes a field for granted that the items of what starts the flow do not have"},
    {"not_before", "`$node` names a node that does not run before"},
    {"not_yet",
     "`settings.lane` names what only an execution has: `$json` and `$vars` alone are there"},
    {"unknown_model", "the configuration has no `[models.NAME]` of that name"},
    {"wrong_provider", "the model of that name is another provider's than the node asks"},
    {"unknown_bot", "the configuration has no `[bots.NAME]` of that name"},
    {"unknown_secret", "the configuration has no secret of that name"},
    {"unknown_flow", "there is no flow of that name"},
    {"not_callable", "the flow that a node calls has no *Manual* trigger"},
    // Of the connections.
    {"unknown_output", "a connection begins at a port that the node does not have"},
    {"unknown_input", "a connection ends at a port that the node does not have"},
    {"wrong_connection", "a connection's type is not that of its port"},
    {"duplicate_connection", "two connections say the same"},
    {"surplus_connection", "more is connected to an input than it takes: a second memory"},
    {"missing_connection", "an input has less than it needs: an agent without a model"},
    {"duplicate_output", "two outputs of a node have one name"},
    {"duplicate_tool", "two tools of an agent have one name"},
    {"cycle", "the connections lead in a circle; the message names its nodes in order"},
    // Of the flow.
    {"no_trigger", "nothing starts the flow"},
    {"bad_schedule", "a schedule trigger has no readable times; the message has the reason"},
    {"path_taken",
     "another published flow, or another node of this one, has the webhook's method and path"},
    {"unknown_chat",
     "a node acts in a chat, but neither its parameters nor its trigger name the chat"},
    {"rivalled_trigger",
     "another published flow's trigger takes the same messages: the message says which of both "
     "they start"},
    {"unreachable", "nothing leads to a node"},
    {"more_problems", "there are more than are listed"},
};

} // namespace

std::span<problem_code const> problem_codes() noexcept {
    return codes;
}

} // namespace postrider::agent::flow
