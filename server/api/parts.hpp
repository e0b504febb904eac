#pragma once
// The parts of the API's description: of each file of endpoints the FILE.openapi.json beside it, embedded
// when the binary is built. A part is a JSON object with "paths", and the "schemas" and "responses" that
// its paths alone refer to; what several refer to stands in openapi.json.
#include <string_view>

namespace postrider::api {

// openapi.json: all but what the parts add.
std::string_view openapi_base();

std::string_view approval_part();
std::string_view audit_part();
std::string_view bulk_part();
std::string_view conversation_part();
std::string_view erasure_part();
std::string_view execution_part();
std::string_view flow_part();
std::string_view flow_tool_part();
std::string_view flow_version_part();
std::string_view job_part();
std::string_view lane_part();
std::string_view mcp_part();
std::string_view model_part();
std::string_view session_part();
std::string_view stranger_part();
std::string_view token_part();
std::string_view usage_part();

} // namespace postrider::api
