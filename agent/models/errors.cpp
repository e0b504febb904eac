#include "agent/models/errors.hpp"

#include "agent/models/asked_pause.hpp"
#include "agent/models/vendor_words.hpp"
#include "base/ascii.hpp"
#include "base/json/json.hpp"

#include <boost/json/object.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>

namespace postrider::agent {

namespace {

using base::errc;

// What a body tells of the failure.
struct complaint {
    std::string type;
    std::string code;
    std::string message;
    std::string parameter = {}; // that it is about: "tools[3].function.parameters"
};

std::string text_of(base::json_reader const& member) {
    if (member.is_string()) return member.string();
    if (auto number = member.int64_or(0)) return std::to_string(number); // vLLM: "code": 404
    return {};
}

// "body.tools.3", of FastAPI's list of steps.
std::string place_of(base::json_reader const& part) {
    std::string place;
    for (auto const& step : part["loc"].items_or_none())
        place.append(place.empty() ? "" : ".")
            .append(step.is_string() ? step.string() : std::to_string(step.int64_or(0)));
    return place;
}

// {"error":{…}}, {"error":"text"} of Ollama and llama.cpp, {"detail":…} of FastAPI, and Gemini's list
// with the first of these.
complaint read_complaint(boost::json::value const& body) {
    if (auto const* list = body.if_array(); list && !list->empty() && list->front().is_object())
        return read_complaint(list->front());
    base::json_reader root{body};
    auto inner = root["error"];
    if (inner.is_string()) return {{}, {}, inner.string()};
    auto from = inner.is_object() ? inner : root;
    auto const detail = from["detail"] ? from["detail"] : root["detail"];
    auto text = detail.string_or("");
    std::string place;
    if (auto const parts = detail.items_or_none(); !parts.empty()) {
        place = place_of(parts.front());
        text = place + ": " + parts.front()["msg"].string_or("");
    }
    return {
        text_of(from["type"]),
        text_of(from["code"]),
        from["message"].string_or(text),
        from["param"].string_or(place),
    };
}

complaint read_complaint(std::string const& body) {
    auto parsed = base::parse_json(body, {.depth = 16, .bytes = 64u << 10});
    return parsed ? read_complaint(*parsed) : complaint{};
}

// A code is an identifier; anything else could be somebody's text.
bool is_identifier(std::string_view text) {
    return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](unsigned char c) {
        return std::isalnum(c) || c == '_' || c == '.' || c == '-';
    });
}

std::string describe(int status, complaint const& said) {
    std::string text = "HTTP " + std::to_string(status);
    if (is_identifier(said.type)) text += " " + said.type;
    if (is_identifier(said.code) && said.code != said.type) text += " " + said.code;
    return text;
}

bool holds(std::string_view text, std::initializer_list<std::string_view> phrases) {
    return std::ranges::any_of(phrases, [&](auto phrase) {
        return text.find(phrase) != text.npos;
    });
}

// "`inputs` must have less than 1024 tokens." The limit of an answer is another one, and so is that of a minute.
bool limits_input_tokens(std::string_view text) {
    if (!holds(text, {" tokens", "token count", "token limit"}) ||
        holds(text, {"per min", "per hour", "per day", "rate limit"}))
        return false;
    bool const is_of_request = holds(text, {"request", "message", "conversation", "history"}) &&
                               !holds(text, {"output", "completion", "max_"});
    bool const is_bound = holds(text, {"less than",   "fewer than",  "more than", "greater than",
                                       "larger than", "longer than", "at most",   "up to",
                                       "no more",     "exceed",      "maximum",   "limit",
                                       "too long",    "too many",    "too large", "too big",
                                       "allowed",     "<",           ">",         "≤"});
    return is_bound && (is_of_request || holds(text, {"input", "prompt"}));
}

// A limit of something else, which a shorter conversation does not keep.
bool limits_something_else(std::string_view text) {
    return holds(text, {"per min",        "per hour",   "per day",  "rate limit",
                        "daily",          "monthly",    "quota",    "max_tokens",
                        "max_completion", "max_output", "max_new",  "completion token",
                        "output",         "image",      "audio",    "video",
                        "file",           "tool",       "function", "schema",
                        "retries",        "recursion"});
}

// The text up to the end of a clause, which is taken from it.
std::string_view take_clause(std::string_view& text) {
    auto const end = std::min(text.find_first_of(":;!?\n"), text.find(". "));
    auto const clause = text.substr(0, end);
    text.remove_prefix(std::min(clause.size() + 1, text.size()));
    return clause;
}

// "The messages are too long", "length of prompt and completion exceeds the maximum".
bool limits_conversation(std::string_view text) {
    while (!text.empty()) {
        auto const clause = take_clause(text);
        bool const is_of_it =
            holds(clause, {"prompt", "input", "message", "conversation", "context", "history"});
        bool const is_long = holds(clause, {"too long", "too large", "too big"});
        bool const exceeds =
            holds(clause, {"exceed", "longer than", "larger than", "greater than"}) &&
            holds(clause, {"length", "size", "token", "character"});
        if (is_of_it && (is_long || exceeds)) return true;
    }
    return false;
}

// "Invalid 'messages[0].content': string too long." The same is said of ids and names.
bool limits_one_text(std::string_view text) {
    return holds(text, {"string_above_max_length", "string too long"}) &&
           holds(text, {"content", "'input'", "prompt", "instructions"});
}

bool limits_tokens_of_model(std::string_view text) {
    return holds(
        text,
        {"token limit exceeded",
         "token limit was exceeded",
         "exceeded token limit",
         "exceeds token limit",
         "exceeds the token limit"}
    );
}

// What is too long has many words, and comes as 400, 413, 422 or 500.
bool is_too_long(int status, complaint const& reported) {
    if (status == 413) return true;
    if (status != 400 && status != 422 && status != 500) return false;
    auto const message = base::to_lower(reported.message);
    auto const text = base::to_lower(reported.type + ' ' + reported.code) + ' ' + message;
    bool const is_of_conversation =
        limits_conversation(message) || limits_one_text(text) || limits_tokens_of_model(message);
    if (is_of_conversation && !limits_something_else(text)) return true;
    return limits_input_tokens(message) ||
           holds(text, {"context_length",       "context length",
                        "context window",       "context size",
                        "context_size",         "context limit",
                        "prompt is too long",   "prompt too long",
                        "input is too long",    "input too long",
                        "inputs are too long",  "prompt exceeds",
                        "prompt length",        "sequence length",
                        "max_model_len",        "input token count",
                        "input length",         "reduce the length",
                        "maximum model length", "model token limit",
                        "too many tokens",      "`max_new_tokens` must be"});
}

bool says(complaint const& said, std::initializer_list<std::string_view> phrases) {
    return holds(said.message, phrases);
}

bool is(complaint const& said, std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(names, [&](std::string_view name) {
        return said.type == name || said.code == name;
    });
}

errc from_status(int status) {
    switch (status) {
    case 401:
    case 403:
        return errc::unauthorized;
    case 402:
        return errc::budget;
    case 404:
        return errc::not_found;
    case 408:
    case 504:
        return errc::timeout;
    case 409:
        return errc::unavailable; // both SDKs try again
    case 429:
        return errc::rate_limited;
    case 503:
    case 529:
        return errc::overloaded;
    default:
        return status >= 500 ? errc::unavailable : errc::invalid;
    }
}

errc anthropic_code(int status, complaint const& reported) {
    // An empty account and a spend limit of one's own come as 400 invalid_request_error or as 429.
    if (is(reported, {"billing_error"}) ||
        ((status == 400 || status == 429) &&
         says(reported, {"credit balance", "usage limits", "spend limit", "spending limit"})))
        return errc::budget;
    if (is(reported, {"overloaded_error"})) return errc::overloaded;
    return is_too_long(status, reported) ? errc::context_too_long : from_status(status);
}

errc openai_code(int status, complaint const& reported) {
    if (is(reported, {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}))
        return errc::budget;
    // Gateways leave the code out.
    if (status == 429 &&
        says(reported, {"exceeded your current quota", "spend limit", "spending limit"}))
        return errc::budget;
    if (is(reported, {"model_not_found"}))
        return errc::not_found; // a 403 for a model without access
    if (is(reported, {"content_policy_violation", "content_filter"})) return errc::refused;
    return is_too_long(status, reported) ? errc::context_too_long : from_status(status);
}

std::optional<std::chrono::milliseconds> asked_delay(
    net::header_list const& headers, base::sys_time now
) {
    auto text = headers.find("retry-after-ms");
    double milliseconds = 0;
    auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), milliseconds);
    bool const whole = ec == std::errc{} && end == text.data() + text.size();
    // As parse_retry_after: whoever asks for more is asked again after an hour.
    if (whole && milliseconds >= 0)
        return std::chrono::milliseconds{
            static_cast<std::int64_t>(std::min(milliseconds, 3'600'000.0))};
    return net::parse_retry_after(headers.find("retry-after"), now);
}

// The vendor's own words come last.
base::error with_words(base::error failure, complaint const& said) {
    auto const words = quote_words(said.message);
    if (!words.empty()) failure.detail += ": " + words;
    return failure;
}

base::error describe_missing(std::string_view model, std::string_view status) {
    return {
        errc::not_found,
        "the provider has no model \"" + std::string(model) + "\", or no such address (" +
            std::string(status) + ")"};
}

base::error finish(
    errc code,
    complaint const& reported,
    net::http_answer const& answer,
    std::string_view model,
    base::sys_time now
) {
    auto const retry_header = answer.headers.find("x-should-retry");
    auto detail = describe(answer.status, reported);
    if (code == errc::not_found) return with_words(describe_missing(model, detail), reported);
    // What is spent is not there a moment later, whatever a proxy says.
    bool const is_final = code == errc::budget || code == errc::context_too_long;
    if (retry_header == "true" && !base::retryable(code) && !is_final) code = errc::unavailable;
    if (retry_header == "false" && base::retryable(code)) {
        code = errc::refused;
        detail += ", told not to try again";
    }
    std::optional<std::chrono::milliseconds> pause;
    if (base::retryable(code)) pause = asked_delay(answer.headers, now);
    base::error failure(code, std::move(detail));
    note_pause(failure, pause, now);
    failure.retry_after = pause;
    return with_words(std::move(failure), reported);
}

} // namespace

refusal_words words_of_refusal(std::string const& body) {
    auto said = read_complaint(body);
    return {std::move(said.message), std::move(said.parameter), std::move(said.code)};
}

base::error anthropic_error(
    net::http_answer const& answer, std::string_view model, base::sys_time now
) {
    auto said = read_complaint(answer.body);
    return finish(anthropic_code(answer.status, said), said, answer, model, now);
}

base::error openai_error(
    net::http_answer const& answer, std::string_view model, base::sys_time now
) {
    auto said = read_complaint(answer.body);
    return finish(openai_code(answer.status, said), said, answer, model, now);
}

base::error anthropic_error(boost::json::value const& event, std::string_view model) {
    constexpr std::array<std::pair<std::string_view, int>, 9> statuses{{
        {"invalid_request_error", 400},
        {"authentication_error", 401},
        {"billing_error", 402},
        {"permission_error", 403},
        {"not_found_error", 404},
        {"rate_limit_error", 429},
        {"api_error", 500},
        {"timeout_error", 504},
        {"overloaded_error", 529},
    }};
    auto const reported = read_complaint(event);
    auto const* place =
        std::ranges::find(statuses, reported.type, &std::pair<std::string_view, int>::first);
    auto const status = place == statuses.end() ? 500 : place->second;
    auto const code = anthropic_code(status, reported);
    if (code == errc::not_found)
        return with_words(describe_missing(model, reported.type), reported);
    return with_words({code, describe(200, reported)}, reported);
}

base::error openai_error(boost::json::value const& error, std::string_view model) {
    auto reported = read_complaint(boost::json::value(boost::json::object{{"error", error}}));
    // Gateways give the status of the vendor's own answer as the code.
    int status = 500;
    std::from_chars(reported.code.data(), reported.code.data() + reported.code.size(), status);
    if (status < 400 || status > 599) status = 500;
    errc code = openai_code(status, reported);
    if (is(reported, {"rate_limit_exceeded"})) code = errc::rate_limited;
    if (is(reported, {"invalid_prompt", "invalid_request_error"}) && code != errc::context_too_long)
        code = errc::invalid;
    if (code == errc::not_found)
        return with_words(describe_missing(model, "model_not_found"), reported);
    return with_words({code, describe(200, reported)}, reported);
}

base::error transport_error(base::error failure) {
    switch (failure.code) {
    case errc::ambiguous:
        failure.code = errc::unavailable;
        break;
    case errc::too_large:
        failure.code = errc::invalid;
        break;
    default:
        break;
    }
    return failure;
}

} // namespace postrider::agent
