#include "agent/models/optional_parameters.hpp"

#include "agent/models/unseen_images.hpp"
#include "base/json_text.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent {

namespace {

constexpr std::array<std::string_view, 1> temperature_words{"temperature"};
constexpr std::array<std::string_view, 5> image_words{
    "image", "vision", "multimodal", "mmproj", "content must be a string"};
constexpr std::array<std::string_view, 2> force_words{"tool_choice", "forced tool use"};
constexpr std::array<std::string_view, 4> schema_words{
    "response_format", "output_config", "text.format", "json_schema"};

std::string of_any_value(chat_request const&) {
    return {};
}

constexpr std::array all{
    optional_parameter{
        "temperature",
        temperature_words,
        [](chat_request const& request) { return request.temperature.has_value(); },
        of_any_value,
        [](chat_request& request) { request.temperature.reset(); }},
    optional_parameter{"images", image_words, has_images, of_any_value, leave_out_images},
    optional_parameter{
        "tool_choice",
        force_words,
        [](chat_request const& request) {
            return request.choice == tool_choice::required && !request.tools.empty();
        },
        of_any_value,
        ask_for_tools_in_words},
    // The agent tells the schema in words, too, and checks the answer. Another schema may be taken.
    optional_parameter{
        "answer_schema",
        schema_words,
        [](chat_request const& request) { return request.answer_schema.has_value(); },
        [](chat_request const& request) { return base::json_text(*request.answer_schema); },
        [](chat_request& request) { request.answer_schema.reset(); }},
};

} // namespace

optional_parameter const* refused_parameter(
    chat_request const& request, base::error const& failure
) noexcept {
    if (failure.code != base::errc::invalid) return nullptr;
    auto const found = std::ranges::find_if(all, [&](optional_parameter const& parameter) {
        return parameter.is_sent(request) &&
               std::ranges::any_of(parameter.words, [&](std::string_view word) {
                   return failure.detail.find(word) != std::string::npos;
               });
    });
    return found == all.end() ? nullptr : &*found;
}

void ask_for_tools_in_words(chat_request& request) {
    constexpr std::string_view instruction =
        "(Call at least one of your tools now, before you answer.)";
    request.choice = tool_choice::automatic;
    auto& context = request.trailing_context;
    context.append(context.empty() ? "" : "\n\n").append(instruction);
}

} // namespace postrider::agent
