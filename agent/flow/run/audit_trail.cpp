#include "agent/flow/run/audit_trail.hpp"

#include "base/json/nul.hpp"
#include "base/json/text.hpp"
#include "base/utf8.hpp"
#include "net/digest.hpp"
#include "storage/stores/audit.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// A model may call anything by any name.
constexpr std::size_t longest_audited_name = 100;

std::string actor_of(execution_input const& input) {
    if (input.heard) return "user:" + base::to_string(input.heard->user);
    return "flow:" + input.flow;
}

// 31 random bits and a count: it ascends within a run, and no two runs have the same.
std::int64_t first_nonce(base::random_source& random) {
    return static_cast<std::int64_t>(base::uint64(random) >> 33) << 32;
}

void append(std::string& output, std::string_view name, std::string_view text) {
    output.append(name).append(" ").append(fmt::format_int(text.size()).c_str()).append("\n");
    output.append(text).append("\n");
}

std::string arguments_of(tool_call const& call) {
    return call.arguments.is_null() ? call.raw : base::json_text(call.arguments);
}

std::string_view name_of(tool_call const& call) {
    return base::cut_at_character(call.name, longest_audited_name);
}

} // namespace

std::string question_text(std::string_view model, chat_request const& request) {
    constexpr std::size_t around_each = 40;
    auto size = request.system.size() + request.trailing_context.size() + 4 * around_each;
    for (auto const& message : request.messages) size += message.content.size() + around_each;
    std::string text;
    text.reserve(size);
    append(text, "model", model);
    append(text, "system", request.system);
    for (auto const& tool : request.tools) append(text, "tool", tool.name);
    for (auto const& message : request.messages) {
        append(text, to_string(message.role), message.content);
        for (auto const& image : message.images)
            append(text, image.media_type, std::to_string(image.base64->size()));
        for (auto const& call : message.calls) append(text, call.name, arguments_of(call));
    }
    append(text, "now", request.trailing_context);
    return text;
}

audit_trail::audit_trail(
    queue::workflow steps, execution_input const& input, base::random_source& random, bool in_full
)
    : steps_(std::move(steps)),
      actor_(actor_of(input)),
      nonce_(first_nonce(random)),
      in_full_(in_full) {}

void audit_trail::model_called(
    std::string step,
    model_question question,
    queue::step_value const& outcome,
    queue::usage const& used
) {
    json::object detail{
        {"model", question.model},
        {"outcome", outcome ? "answered" : base::to_string(outcome.error().code)},
        {"bytes", question.text.size()},
        {"messages", question.messages},
        {"tools", question.tools},
        {"tokens_in", used.tokens_in},
        {"tokens_out", used.tokens_out}};
    add("model_call", std::move(step), std::move(detail), std::move(question.text));
}

void audit_trail::budget_stopped(
    std::string step, std::string_view model, base::error const& refusal
) {
    add("budget_stop", std::move(step), {{"model", model}, {"reason", refusal.detail}}, {});
}

void audit_trail::tool_called(
    std::string step, tool_call const& call, std::size_t result_bytes, bool is_error
) {
    auto arguments = arguments_of(call);
    json::object detail{
        {"tool", name_of(call)},
        {"outcome", is_error ? "error" : "done"},
        {"bytes", arguments.size()},
        {"result_bytes", result_bytes}};
    add("tool_call", std::move(step), std::move(detail), std::move(arguments));
}

void audit_trail::loop_stopped(std::string step, repetition const& repetition) {
    add("loop_stop",
        std::move(step),
        {{"kind", to_string(repetition.kind)}, {"tool", repetition.tool}},
        {});
}

void audit_trail::refused(std::string step, tool_call const& call, std::string_view reason) {
    auto arguments = arguments_of(call);
    json::object detail{{"tool", name_of(call)}, {"reason", reason}, {"bytes", arguments.size()}};
    add("refusal", std::move(step), std::move(detail), std::move(arguments));
}

void audit_trail::begin_anew() {
    for (auto const& row : added_) steps_.add(storage::once_only(row));
}

void audit_trail::add(
    std::string_view kind, std::string step, json::object detail, std::string content
) {
    storage::new_audit_entry entry;
    entry.lane = steps_.job().lane;
    entry.job = steps_.job().id;
    entry.nonce = ++nonce_;
    entry.kind = kind;
    entry.actor = actor_;
    entry.subject = std::move(step);
    entry.detail = std::move(detail);
    if (in_full_) content = base::storable(std::move(content));
    if (!content.empty()) entry.content_hash = net::sha256_hex(content);
    if (in_full_ && !content.empty()) entry.content = std::move(content);
    auto row = storage::record_audit(entry);
    steps_.add(row);
    // For the case that this commit comes too late.
    added_.push_back(std::move(row));
}

} // namespace postrider::agent::flow
