#include "agent/models/optional_parameters.hpp"

#include "agent/models/tool_support.hpp"
#include "agent/models/unseen_images.hpp"
#include "base/ascii.hpp"
#include "base/json/text.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace postrider::agent {

namespace {

bool speaks_of(base::error const& failure, std::initializer_list<std::string_view> words) {
    auto const said = base::to_lower(failure.detail);
    return std::ranges::any_of(words, [&](std::string_view word) {
        return said.find(word) != std::string::npos;
    });
}

bool is_in(char c, std::string_view more) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || more.find(c) != more.npos;
}

// Neither within a longer word, nor within what may be the model's own name.
bool has_word(base::error const& failure, std::string_view word) {
    auto const refusal = base::to_lower(failure.detail);
    for (auto at = refusal.find(word); at != refusal.npos; at = refusal.find(word, at + 1)) {
        auto const end = at + word.size();
        bool const begins = at == 0 || !is_in(refusal[at - 1], "-_./:\"'");
        bool const ends = end == refusal.size() || !is_in(refusal[end], "-_/\"'");
        if (begins && ends) return true;
    }
    return false;
}

parameter_refusal if_spoken_of(
    base::error const& failure,
    parameter_refusal refusal,
    std::initializer_list<std::string_view> words
) {
    return failure == base::errc::invalid && speaks_of(failure, words) ? refusal
                                                                       : parameter_refusal::none;
}

std::string no_value(chat_request const&) {
    return {};
}

// Servers say it with many codes: llama.cpp with 500, routers of models with 404.
parameter_refusal of_images(base::error const& failure, refusal_words const&) {
    bool const is_of_request =
        failure == base::errc::invalid || failure == base::errc::context_too_long;
    bool const may_be =
        is_of_request || failure == base::errc::not_found || failure == base::errc::unavailable;
    if (!may_be) return parameter_refusal::none;
    bool const of_any = speaks_of(
        failure,
        {"support image",
         "image input",
         "image_url",
         "mmproj",
         "non-vision",
         "content must be a string"}
    );
    bool const of_kind = has_word(failure, "vision") || has_word(failure, "multimodal");
    if (of_any || of_kind) return parameter_refusal::of_any;
    // One that is broken, or too large for it; a proxy before it may say no more than the status.
    bool const of_this = is_of_request && speaks_of(failure, {"image", "http 413"});
    return of_this ? parameter_refusal::of_value : parameter_refusal::none;
}

// Of a model that calls none. Routers of models say it with 404, llama.cpp with 500.
parameter_refusal of_tools(base::error const& failure, refusal_words const& said) {
    bool const may_be = failure == base::errc::invalid || failure == base::errc::not_found ||
                        failure == base::errc::unavailable;
    return may_be && refuses_any_tools(said) ? parameter_refusal::of_any : parameter_refusal::none;
}

constexpr std::array all_parameters{
    optional_parameter{
        "temperature",
        [](chat_request const& request) { return request.temperature.has_value(); },
        [](base::error const& failure, refusal_words const&) {
            return if_spoken_of(failure, parameter_refusal::of_any, {"temperature"});
        },
        no_value,
        [](chat_request& request) { request.temperature.reset(); }},
    optional_parameter{
        "tool_choice",
        [](chat_request const& request) {
            return request.choice == tool_choice::required && !request.tools.empty();
        },
        [](base::error const& failure, refusal_words const&) {
            return if_spoken_of(
                failure, parameter_refusal::of_any, {"tool_choice", "forced tool use"}
            );
        },
        no_value,
        ask_for_tools_in_words},
    // The agent tells the schema in words, too, and checks the answer.
    optional_parameter{
        "answer_schema",
        [](chat_request const& request) { return request.answer_schema.has_value(); },
        [](base::error const& failure, refusal_words const&) {
            return if_spoken_of(
                failure,
                parameter_refusal::of_value,
                {"response_format", "output_config", "text.format", "json_schema"}
            );
        },
        [](chat_request const& request) { return base::json_text(*request.answer_schema); },
        [](chat_request& request) { request.answer_schema.reset(); }},
    optional_parameter{"images", has_images, of_images, no_value, leave_out_images},
    optional_parameter{"tools", has_tools, of_tools, no_value, leave_out_tools},
};

} // namespace

refused_parameter find_refused(
    chat_request const& request, base::error const& failure, refusal_words const& said
) {
    for (auto const& parameter : all_parameters) {
        if (!parameter.is_sent(request)) continue;
        auto const by = parameter.refused_by(failure, said);
        if (by != parameter_refusal::none) return {&parameter, by};
    }
    return {};
}

bool has_tools(chat_request const& request) noexcept {
    return !request.tools.empty();
}

void leave_out_tools(chat_request& request) {
    request.tools = {};
    request.choice = tool_choice::automatic;
}

void ask_for_tools_in_words(chat_request& request) {
    constexpr std::string_view instruction =
        "(Call at least one of your tools now, before you answer.)";
    request.choice = tool_choice::automatic;
    auto& context = request.trailing_context;
    context.append(context.empty() ? "" : "\n\n").append(instruction);
}

} // namespace postrider::agent
