// A provider that is one value in one file and one line in the table below, which stands in for the
// product's own: nothing else of the product is touched.
#include "agent/models/provider.hpp"
#include "agent/models/stream.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"

#include <array>

namespace postrider::agent {

namespace {

namespace json = boost::json;
using base::setting;
using enum base::setting_type;

constexpr std::array settings{
    setting{"scratch.api_key", "SCRATCH_API_KEY", secret, "", "", "makes Scratch the default"},
    setting{"scratch.model", "SCRATCH_MODEL", text, "parrot-1", "", "model of `scratch`"},
    setting{
        "scratch.base_url", "SCRATCH_BASE_URL", url, "https://scratch.example", "", "its address"},
};

std::string request_body(chat_request const& request, wire_peer const& to) {
    return base::json_text(json::object{
        {"model", to.options.model}, {"say", request.messages.back().content}});
}

base::result<wire_reply> read_reply(std::string_view body, wire_peer const& from) {
    auto const answer = base::parse_json(body);
    if (!answer) return answer.error();
    wire_reply read;
    read.reply.text = base::json_reader{*answer}["said"].string_or("");
    read.reply.model = from.options.model;
    return read;
}

std::shared_ptr<wire::stream> no_stream(text_listener, std::string) {
    return nullptr;
}

std::string probe_path(std::string_view model) {
    return "/known/" + std::string(model);
}

net::header_list headers(model_options const& options) {
    return {{"x-scratch-key", options.api_key.reveal()}};
}

base::error explain(net::http_answer const& answer, std::string_view, base::sys_time) {
    return {base::errc::refused, "HTTP " + std::to_string(answer.status)};
}

constexpr std::array apis{
    wire_api{
        .name = "echo",
        .path = "/echo",
        .request_body = request_body,
        .read_reply = read_reply,
        .stream = no_stream,
        .probe_path = probe_path},
};

constexpr provider scratch_provider{
    .name = "scratch",
    .title = "Scratch model",
    .documentation = "Says what it is told.",
    .default_model = "parrot-1",
    .most_temperature = 1,
    .settings = settings,
    .address = "https://scratch.example",
    .needs_key = true,
    .apis = apis,
    .headers = headers,
    .explain = explain,
};

} // namespace

extern provider const rules_provider;

// In place of provider_table.cpp, which the linker then leaves out.
std::span<provider const* const> providers() noexcept {
    static constexpr std::array table{&scratch_provider, &rules_provider};
    return table;
}

} // namespace postrider::agent
