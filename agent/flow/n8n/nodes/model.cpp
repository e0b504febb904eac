#include "agent/flow/n8n/mapping.hpp"
#include "agent/flow/n8n/nodes/answers.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view model_types[]{
    "lmChatOpenAi",
    "lmOpenAi",
    "lmChatAnthropic",
    "lmChatOllama",
    "lmOllama",
    "lmChatGroq",
    "lmChatMistralCloud",
    "lmChatOpenRouter",
    "lmChatGoogleGemini",
    "lmChatGoogleVertex",
    "lmChatDeepSeek",
    "lmChatXAiGrok",
    "lmChatAwsBedrock",
    "lmChatAzureOpenAi",
    "lmChatCohere",
    "lmOpenHuggingFaceInference",
    "lmCohere"};

void map_model(translation& in) {
    auto const type = in.node().short_type();
    bool const openai = type == "lmChatOpenAi" || type == "lmOpenAi";
    bool const anthropic = type == "lmChatAnthropic";
    in.become(openai ? "model.openai" : anthropic ? "model.anthropic" : "model.compatible");
    in.draft.outputs = {"ai_model"};
    auto const provider = type.substr(type.starts_with("lmChat") ? 6 : 2);
    in.put_value(
        "credential", boost::json::value(in.credential("credential", identifier_of(provider)))
    );
    std::string_view const path = in.find("model") ? "model" : "modelName";
    auto model = in.word(path);
    if (model.starts_with("models/")) model.erase(0, 7);
    if (in.is_computed(path))
        in.put("model", path);
    else if (!model.empty())
        in.put_value("model", boost::json::value(model));
    in.put("temperature", "options.temperature");
    for (auto path : {"options.maxTokens", "options.maxTokensToSample", "options.maxOutputTokens"})
        if (auto const count = in.number(path); count && *count >= 1)
            in.put_value("max_tokens", static_cast<std::int64_t>(*count));
    if (!openai && !anthropic)
        in.warn(
            "n8n_parameter",
            "credential",
            std::string(provider) + " is asked as a server that speaks OpenAI's Chat Completions",
            "give the entry the base_url of the provider"
        );
}

} // namespace

extern constinit mapping const model_mapping{.types = model_types, .map = map_model};

} // namespace postrider::agent::flow::n8n
