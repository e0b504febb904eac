#include "agent/flow/n8n/nodes/openai_requests.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace json = boost::json;

namespace {

enum class openai_task { none, make_image, read_image, speak, write_down };

openai_task task_of(translation const& in) {
    auto const resource = in.word("resource");
    auto const operation = in.word("operation", "generate");
    if (resource == "image" && (operation == "generate" || operation == "create"))
        return openai_task::make_image;
    if (resource == "image" && operation == "analyze" && in.word("inputType", "url") == "url")
        return openai_task::read_image;
    if (resource != "audio") return openai_task::none;
    if (operation == "generate") return openai_task::speak;
    bool const listens = operation == "transcribe" || operation == "translate";
    return listens ? openai_task::write_down : openai_task::none;
}

// The parameter under the name that OpenAI has for it.
struct openai_option {
    std::string_view name;
    std::string_view path;
    std::string_view usual = {};
};

json::object options_of(translation& in, std::initializer_list<openai_option> options) {
    json::object body;
    for (auto const& [name, path, usual] : options) {
        auto const* value = in.find(path);
        if (value && value->is_object()) value = value->get_object().if_contains("value");
        bool const is_written = value && !value->is_null() && *value != json::value("");
        if (is_written)
            body[name] = in.converted("body", *value);
        else if (!usual.empty())
            body[name] = usual;
    }
    return body;
}

void put_request(translation& in, std::string_view path, json::object body) {
    in.become("http.request");
    in.put_value("url", json::value("https://api.openai.com/v1/" + std::string(path)));
    in.put_value("method", "POST");
    in.put_value("body", std::move(body));
    in.put_value("credential", json::value(in.credential("credential", "openai")));
    in.put_value("timeout", "5min");
}

void put_new_images(translation& in) {
    auto body = options_of(
        in,
        {{"model", "model", "dall-e-3"},
         {"prompt", "prompt"},
         {"n", "options.n"},
         {"size", "options.size"},
         {"quality", "options.dalleQuality"},
         {"style", "options.style"}}
    );
    body["response_format"] = "url";
    put_request(in, "images/generations", std::move(body));
    in.put_value("items", "$json.body.data");
    in.warn(
        "n8n_difference",
        "items",
        "n8n has an image as a file; here an item has its address, `url`",
        "a request with response: file gets the file"
    );
}

// The addresses are one text with commas.
void put_question_about_images(translation& in) {
    json::array content;
    if (auto const* text = in.find("text"))
        content.push_back({{"type", "text"}, {"text", in.converted("body", *text)}});
    auto const* urls = in.find("imageUrls");
    if (urls && urls->is_string() && !in.is_computed("imageUrls")) {
        auto const addresses = in.word("imageUrls");
        for (auto rest = std::string_view(addresses); !rest.empty();) {
            auto url = rest.substr(0, rest.find(','));
            rest.remove_prefix(std::min(url.size() + 1, rest.size()));
            while (url.starts_with(' ')) url.remove_prefix(1);
            content.push_back({{"type", "image_url"}, {"image_url", {{"url", url}}}});
        }
    } else if (urls) {
        content.push_back(
            {{"type", "image_url"}, {"image_url", {{"url", in.converted("body", *urls)}}}}
        );
    }
    auto body = options_of(
        in, {{"model", "modelId", "gpt-4o-mini"}, {"max_tokens", "options.maxTokens", ""}}
    );
    body["messages"] = json::array{json::object{{"role", "user"}, {"content", std::move(content)}}};
    put_request(in, "chat/completions", std::move(body));
    in.put_value("items", "$json.body.choices.map(c, {\"content\": c.message.content})");
}

void put_speech(translation& in) {
    put_request(
        in,
        "audio/speech",
        options_of(
            in,
            {{"model", "model", "tts-1"},
             {"input", "input"},
             {"voice", "voice", "alloy"},
             {"response_format", "options.response_format"},
             {"speed", "options.speed"}}
        )
    );
    in.put_value("response", "file");
}

void put_transcription(translation& in) {
    auto body = options_of(
        in,
        {{"model", "model", "whisper-1"},
         {"language", "options.language"},
         {"temperature", "options.temperature"}}
    );
    body["file"] = "{{ $json.?file }}";
    bool const translates = in.word("operation") == "translate";
    put_request(in, translates ? "audio/translations" : "audio/transcriptions", std::move(body));
    in.put_value("body_format", "multipart");
}

} // namespace

bool is_openai_request(translation const& in) {
    return task_of(in) != openai_task::none;
}

void map_openai_request(translation& in) {
    switch (task_of(in)) {
    case openai_task::make_image:
        return put_new_images(in);
    case openai_task::read_image:
        return put_question_about_images(in);
    case openai_task::speak:
        return put_speech(in);
    case openai_task::write_down:
        return put_transcription(in);
    case openai_task::none:
        break;
    }
}

void put_images(translation& in) {
    in.put_value(
        "images",
        "{{ has($json.file.base64) ? [{\"data\": $json.file.base64}] : has($json.file.id) ? "
        "[{\"file\": $json.file.id}] : [] }}"
    );
}

} // namespace postrider::agent::flow::n8n
