#pragma once
// A tool of a server of the Model Context Protocol as an agent's model is offered it. What the server
// says of a tool is a hint: the operator's [tools.NAME] goes before it.
#include "agent/flow/parts/offered_tools.hpp"
#include "agent/mcp/servers.hpp"

#include <string>
#include <string_view>

namespace postrider::agent::flow {

// "files_read": SERVER_TOOL in the characters and the length that providers take. The same for no two
// tools, as no server's name begins another's before a '_'; another tool of an agent may have it.
std::string mcp_tool_name(std::string_view server, std::string_view tool);

// A tool that only reads has a low risk and may be called again; one that destroys nothing a medium
// one; any other a high one. What may have been done is not done again, but where the tool says that
// twice is as once.
offered_tool offer_mcp_tool(
    mcp::servers* servers, std::string const& server, mcp::tool_definition const& tool
);

// The server that offers the tool; "" = it is of another kind. A server's tool takes no other's name.
std::string_view mcp_server_of(offered_tool const& tool);

// For the model; refused: the tool failed, and its own words say why.
base::result<tool_output> output_of(mcp::tool_result const& result);

} // namespace postrider::agent::flow
