#include "agent/flow/n8n/mapping.hpp"
#include "agent/flow/n8n/nodes/answers.hpp"
#include "agent/flow/n8n/nodes/called_flow.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view tool_types[]{
    "toolCalculator",
    "toolWorkflow",
    "toolHttpRequest",
    "toolSerpApi",
    "toolSearXng",
    "mcpClientTool",
    "httpRequestTool",
    "retrieverWorkflow"};

void name_tool(translation& in) {
    in.put_value(
        "name", boost::json::value(identifier_of(in.word("name", in.node().name), "tool"))
    );
}

void map_flow_tool(translation& in) {
    in.become("tool.flow");
    name_tool(in);
    in.put_value("flow", boost::json::value(called_flow(in)));
    if (!in.put("description", "description"))
        in.put_value("description", boost::json::value(in.node().name));
    for (std::string_view path : {"inputSchema", "jsonSchemaExample"}) {
        auto const* text = in.find(path);
        auto value =
            text && text->is_string() ? read_json_template(text->get_string()) : std::nullopt;
        if (!value || !value->is_object()) continue;
        in.put_value(
            "parameters",
            constant_schema(path == "inputSchema" ? value->get_object() : schema_of_example(*value))
        );
        break;
    }
    if (auto const* inputs = in.find("workflowInputs.value");
        inputs && inputs->is_object() && !inputs->get_object().empty())
        in.put_value("input", in.converted("input", *inputs));
    in.warn(
        "n8n_parameter",
        "flow",
        "the called workflow is imported by itself",
        "name it as the import called it"
    );
}

// A flow that finds documents: a question is its input.
void map_retriever(translation& in) {
    map_flow_tool(in);
    in.put_value("description", "Finds documents that answer a question.");
    in.put_value(
        "parameters",
        boost::json::object{
            {"type", "object"},
            {"properties", {{"query", {{"type", "string"}}}}},
            {"required", boost::json::array{"query"}}}
    );
}

void map_request_tool(translation& in) {
    in.become("tool.http_request");
    name_tool(in);
    if (!in.node().credentials.empty())
        in.put_value("credential", boost::json::value(in.credential("credential", "api")));
    auto const url = in.word("url");
    auto const begin = url.find("://");
    auto const host = begin == url.npos
                          ? ""
                          : url.substr(begin + 3, url.find_first_of("/?#", begin + 3) - begin - 3);
    if (!host.empty() && host.find('{') == host.npos)
        in.put_value("allowed_hosts", boost::json::array{boost::json::value(host)});
    in.warn(
        "n8n_parameter",
        "",
        "n8n's tool made one kind of request; this one lets the model write the request",
        "say in the agent's system prompt what to ask: the parameters stand in the notes"
    );
    in.draft.notes =
        "In n8n: " + in.word("method", "GET") + " " + url + "\n" + in.word("toolDescription");
}

void map_tool(translation& in) {
    auto const type = in.node().short_type();
    in.draft.outputs = {"ai_tool"};
    if (type == "toolWorkflow") return map_flow_tool(in);
    if (type == "retrieverWorkflow") return map_retriever(in);
    if (type == "toolHttpRequest" || type == "httpRequestTool") return map_request_tool(in);
    if (type == "mcpClientTool") {
        in.become("tool.mcp");
        in.put_value(
            "servers",
            boost::json::array{boost::json::value(identifier_of(in.node().name, "server"))}
        );
        in.warn(
            "n8n_credential",
            "servers",
            "the configuration needs an entry for this server, [mcp.NAME]"
        );
        return;
    }
    in.become(type == "toolCalculator" ? "tool.calculator" : "tool.web_search");
}

} // namespace

extern constinit mapping const tool_mapping{.types = tool_types, .map = map_tool};

} // namespace postrider::agent::flow::n8n
