#include "agent/flow/n8n/mapping.hpp"
#include "agent/flow/n8n/nodes/answers.hpp"
#include "agent/flow/n8n/nodes/openai_requests.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view openai_types[]{"openAi"};

constexpr renamed_member openai_text_members[]{
    {"message.content", "text"}, {"content", "text"}, {"output", "text"}, {"text", "text"}};
constexpr renamed_member openai_json_members[]{
    {"message.content", "output"}, {"content", "output"}};

bool answers_json(translation const& in) {
    return in.is_true("jsonOutput");
}

renamed_members openai_members(translation const& in) {
    if (is_openai_request(in)) return {};
    if (answers_json(in)) return openai_json_members;
    return openai_text_members;
}

// Messages by their roles: the system's, and all others as the prompt.
void put_roles(translation& in, boost::json::array const& messages) {
    std::string system, prompt;
    for (auto const& message : messages) {
        auto const* object = message.if_object();
        auto const* text = object ? object->if_contains("content") : nullptr;
        auto const* role = object ? object->if_contains("role") : nullptr;
        if (!text || !text->is_string()) continue;
        bool const is_system = role && role->is_string() && role->get_string() == "system";
        auto& target = is_system ? system : prompt;
        auto const converted = in.converted(is_system ? "system_prompt" : "prompt", *text);
        target += (target.empty() ? "" : "\n\n") + std::string(converted.get_string());
    }
    if (!system.empty()) in.put_value("system_prompt", boost::json::value(system));
    in.put_value("prompt", boost::json::value(prompt.empty() ? "{{ $json.text }}" : prompt));
}

void map_openai(translation& in) {
    auto const resource = in.word("resource", "text");
    auto const operation = in.word("operation", "message");
    if (is_openai_request(in)) return map_openai_request(in);
    bool const chat = resource == "text" || resource == "chat" || resource == "assistant" ||
                      (resource == "image" && operation == "analyze");
    bool const other = operation == "classify" || operation == "moderate" ||
                       operation == "create" || operation == "deleteAssistant" ||
                       operation == "list" || operation == "update" || operation == "edit";
    if (!chat || other)
        return in.become_placeholder("it asked OpenAI: " + resource + ", " + operation);
    in.become("agent");
    boost::json::value const* messages = nullptr;
    for (std::string_view path :
         {"messages.values", "messages.messages", "prompt.messages", "responses.values"})
        if (!messages) messages = in.find(path);
    if (messages && messages->is_array())
        put_roles(in, messages->get_array());
    else if (!in.put("prompt", "text") && !in.put("prompt", "prompt"))
        in.put_value("prompt", "{{ $json.text }}");
    if (resource == "assistant")
        in.warn(
            "n8n_parameter",
            "system_prompt",
            "the instructions of an assistant are at OpenAI",
            "write them here"
        );
    if (resource == "image") put_images(in);
    if (answers_json(in)) put_schema(in, {{"type", "object"}});
    attach_model(in, in.find("modelId") ? "modelId" : in.find("chatModel") ? "chatModel" : "model");
}

} // namespace

extern constinit mapping const openai_mapping{
    .types = openai_types, .map = map_openai, .renamed = openai_members};

} // namespace postrider::agent::flow::n8n
