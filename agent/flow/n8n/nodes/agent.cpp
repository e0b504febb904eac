#include "agent/flow/n8n/mapping.hpp"
#include "agent/flow/n8n/nodes/answers.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view agent_types[]{
    "agent", "chainLlm", "chainSummarization", "chainRetrievalQa"};

constexpr renamed_member text_members[]{
    {"output.text", "text"},
    {"response.text", "text"},
    {"output", "text"},
    {"output.*", "json:text"}};
constexpr renamed_member answer_members[]{
    {"response.text", "text"}, {"response", "text"}, {"output", "text"}};
constexpr renamed_member chain_members[]{{"response.text", "text"}, {"response", "output"}};

// Parsers of the first version gave a chain the members of the answer themselves.
constexpr renamed_member early_chain_members[]{{"*", "output"}};

renamed_members agent_members(translation const& in) {
    auto const version = version_of_parser(in);
    if (version && *version < 1.1 && in.node().short_type() == "chainLlm")
        return early_chain_members;
    if (version) return chain_members;
    if (in.node().short_type() == "chainRetrievalQa") return answer_members;
    return text_members;
}

// n8n's "define below" has a text; else it takes what a chat says.
void put_prompt(translation& in) {
    auto const source = in.word(
        "promptType",
        in.node().short_type() == "chainLlm" && in.node().version < 1.4 ? "define" : ""
    );
    bool const asks_documents = in.node().short_type() == "chainRetrievalQa";
    if (asks_documents && in.node().version < 1.2) {
        if (!in.put("prompt", "query")) in.put_value("prompt", "{{ $json.?input }}");
        return;
    }
    bool const written = source == "define" || (source.empty() && in.find("text"));
    if (!written || !(in.put("prompt", "text") || in.put("prompt", "prompt")))
        in.put_value("prompt", "{{ $json.text }}");
}

// Messages in front of the prompt: those of the system become the system prompt.
void put_messages(translation& in) {
    auto const* messages = in.find("messages.messageValues");
    auto const* list = messages ? messages->if_array() : nullptr;
    std::string system;
    for (std::size_t i = 0; list && i < list->size(); ++i) {
        auto const* object = (*list)[i].if_object();
        auto const* text = object ? object->if_contains("message") : nullptr;
        auto const* type = object ? object->if_contains("type") : nullptr;
        if (!text || !text->is_string()) continue;
        auto const converted = in.converted("system_prompt", *text);
        if (type && type->is_string() && !type->get_string().starts_with("System"))
            in.warn(
                "n8n_parameter",
                "system_prompt",
                "a message in front of the prompt became a part of the system prompt",
                "",
                "messages"
            );
        system += (system.empty() ? "" : "\n\n") + std::string(converted.get_string());
    }
    if (!system.empty()) in.put_value("system_prompt", boost::json::value(system));
}

void put_summary(translation& in) {
    std::string const base = "options.summarizationMethodAndPrompts.values.";
    auto const* prompt = in.find(base + "prompt");
    if (!prompt) prompt = in.find(base + "combineMapPrompt");
    auto text = prompt && prompt->is_string()
                    ? std::string(in.converted("prompt", *prompt).get_string())
                    : "Write a concise summary of the following:\n\n\"{text}\"";
    if (auto const place = text.find("{text}"); place != text.npos)
        text.replace(place, 6, "{{ $json.?text.orValue(toJson($json)) }}");
    in.put_value("prompt", boost::json::value(text));
    if (!in.parts("ai_document").empty())
        in.warn(
            "n8n_parameter",
            "prompt",
            "n8n read a document in parts; the whole text goes to the model here"
        );
}

void map_agent(translation& in) {
    in.become("agent");
    auto const type = in.node().short_type();
    if (type == "chainSummarization") return put_summary(in);
    if (type == "chainRetrievalQa")
        in.put_value(
            "system_prompt",
            "Answer the question by what your tools find. If they find no answer, say so."
        );
    put_prompt(in);
    in.put("system_prompt", "options.systemMessage");
    put_messages(in);
    if (auto const count = in.number("options.maxIterations"))
        in.put_value("max_iterations", static_cast<std::int64_t>(std::clamp(*count, 1.0, 50.0)));
    if (auto schema = schema_of_parser(in)) put_schema(in, std::move(*schema));
    if (in.parts("ai_languageModel").empty()) attach_model(in, "model");
}

} // namespace

extern constinit mapping const agent_mapping{
    .types = agent_types, .map = map_agent, .renamed = agent_members};

} // namespace postrider::agent::flow::n8n
