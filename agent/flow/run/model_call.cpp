#include "agent/flow/run/model_call.hpp"

#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/message_notes.hpp"
#include "agent/flow/run/model_failure.hpp"
#include "agent/flow/run/untrusted_results.hpp"
#include "agent/language/lexicon.hpp"
#include "agent/loop/attached_texts.hpp"
#include "agent/loop/prompt.hpp"
#include "agent/loop/token_window.hpp"
#include "agent/loop/untrusted_text.hpp"
#include "agent/models/reply_json.hpp"
#include "agent/speech/typing.hpp"
#include "agent/talk/degradation.hpp"
#include "base/fault.hpp"
#include "base/json/json.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace {

using namespace std::chrono_literals;

// What a person waits for an answer at least, if the model's calls take no longer.
constexpr std::chrono::milliseconds reservation_patience = std::chrono::minutes{2};

// Of the images that a question came with. What is left of the step's time is the request's.
constexpr std::chrono::milliseconds longest_loading = 20s;

// In pieces so small that nothing of them is left out; an empty one as it is.
void tell_words(node_run& run, std::string_view text) {
    constexpr std::size_t most = 1000;
    do {
        auto const piece = base::cut_at_character(text, most);
        run.tell(model_chunk, {{"text", piece}});
        text.remove_prefix(piece.size());
    } while (!text.empty());
}

// Beside a reply that calls tools.
constexpr std::string_view limit_member = "most_calls";

// Of the images that tools have returned the newest, as many as come with a message at most. The
// text of a result tells of each.
void show_results(std::vector<chat_message>& messages, bool can_see) {
    auto remaining = can_see ? most_images : 0;
    for (auto message = messages.rbegin(); message != messages.rend(); ++message) {
        auto& images = message->images;
        if (images.size() > remaining)
            images.erase(images.begin(), images.end() - std::ptrdiff_t(remaining));
        remaining -= images.size();
    }
}

// What the model was not shown stands beside its reply: a later run has the reply alone.
constexpr std::string_view shortfalls_member = "shortfalls";

void add_shortfall(boost::json::value& reply, degraded_by reason) {
    auto& shortfalls = reply.as_object()[shortfalls_member];
    if (shortfalls.is_null()) shortfalls.emplace_array();
    shortfalls.as_array().emplace_back(to_string(reason));
}

void report_shortfalls(node_run& run, boost::json::value const& reply) {
    for (auto const& word : base::json_reader{reply}[shortfalls_member].items_or_none())
        if (auto const reason = degraded_by_from_string(word.string_or("")))
            run.degrade(degradation_of(*reason));
}

std::optional<int> recorded_limit(boost::json::value const& reply) {
    auto const* limit = reply.as_object().if_contains(limit_member);
    if (!limit) return std::nullopt;
    return limit->to_number<int>();
}

} // namespace

base::retry_policy asking_policy(std::chrono::milliseconds call_timeout) noexcept {
    return {
        .limit = 2,
        .delay = 1s,
        .backoff = base::backoff_shape::exponential,
        .timeout = call_timeout + bounds::model_step_margin,
        .total = std::max<std::chrono::milliseconds>(reservation_patience, 2 * call_timeout)};
}

model_call::model_call(
    node_run& run,
    agent_settings const& settings,
    std::size_t item,
    model_choice model,
    std::shared_ptr<offered_tools const> tools
)
    : run_(run),
      settings_(settings),
      item_(item),
      model_(std::move(model.part)),
      step_(std::move(model.step)),
      tools_(std::move(tools)) {}

base::awaitable<base::result<chat_reply>> model_call::ask(
    round_question const& round, bool gives_way
) {
    gives_way_ = gives_way;
    auto policy = run_.retry(asking_policy(model_.timeout));
    if (gives_way) policy.total = policy.timeout;
    // The request gives up before its step does.
    auto const timeout =
        std::max(policy.timeout - bounds::model_step_margin, policy.timeout * 9 / 10);
    auto work = [this, &round, timeout] { return attempt_in_sight(round, timeout); };
    provider_failure_.reset();
    auto value = co_await run_.steps().try_step(step_, policy, work);
    if (!value) co_return co_await reason_of(value.error());
    auto reply = reply_from_json(*value).value();
    most_calls_ = recorded_limit(*value).value_or(round.most_calls);
    report_shortfalls(run_, *value);
    if (round.first) run_.keep_spare(question(round), std::move(*value));
    if (!std::exchange(reused_, false)) used_ += usage_of(reply);
    co_return reply;
}

// The provider's own word instead of what ended the step, where that was no answer. For whoever
// looks at the execution, and in a later run, the tries stand in the record alone.
base::awaitable<base::error> model_call::reason_of(base::error failure) const {
    if (!ended_without_answer(failure)) co_return failure;
    auto provider_failure = provider_failure_;
    auto& steps = run_.steps();
    if (!provider_failure)
        provider_failure = co_await recorded_failure(
            run_.services().reads, steps.job().id, steps.prefix() + step_
        );
    if (!provider_failure) co_return failure;
    co_return explain_end(*provider_failure, failure);
}

bool model_call::recorded() const {
    return run_.steps().recorded(step_);
}

queue::usage model_call::usage_of(chat_reply const& reply) const noexcept {
    auto const& tokens = reply.usage;
    return {tokens.input, tokens.output, tokens.cached, cost_micro(tokens, model_.prices)};
}

// The person sees that something is done, also while the call waits for its turn.
base::awaitable<queue::step_value> model_call::attempt_in_sight(
    round_question const& round, std::chrono::milliseconds timeout
) {
    auto const* heard = settings_.speaks_by_tools ? nullptr : run_.started_by().answered();
    if (!heard) return attempt(round, timeout);
    return while_typing(run_.services().out, heard->from, attempt(round, timeout));
}

base::awaitable<queue::step_value> model_call::attempt(
    round_question const& round, std::chrono::milliseconds timeout
) {
    if (round.first)
        if (auto const* earlier_reply = run_.spare(question(round))) {
            reused_ = true;
            co_return *earlier_reply;
        }
    bool const can_see = model_.model->capabilities().vision;
    if (round.images && can_see) {
        auto const& clock = run_.services().clock;
        auto const load_start = clock.steady();
        co_await round.images->load(std::min(longest_loading, timeout / 2));
        timeout -= std::chrono::ceil<std::chrono::milliseconds>(clock.steady() - load_start);
    }
    gate_hold hold(run_.services().limits, model_.breaker, run_.steps().job().id);
    auto admitted = co_await pass_gates(hold, timeout);
    if (!admitted) co_return admitted.error();
    auto request = request_of(round, timeout);
    lacks_images_ =
        round.images && round.images->show(request, round.transcript.question_place(), can_see) > 0;
    auto* audit = run_.audit();
    auto const step_path = run_.steps().prefix() + step_;
    std::optional<budget_reservations::call> reservation;
    if (auto* reservations = run_.reservations()) {
        auto const estimated = estimate(request);
        auto const number = co_await reservations->reserve(estimated, timeout);
        if (!number && audit && number.error() == base::errc::budget)
            audit->budget_stopped(step_path, model_.model->name(), number.error());
        if (!number) co_return number.error();
        reservation.emplace(*reservations, *number);
        reservation->pay(estimated); // where nobody waits for its answer, it is paid all the same
    }
    audit_trail::model_question audited_question;
    if (audit) audited_question = audited(request);
    queue::usage used;
    base::fault::point("turn.before_model");
    run_.tell("model_called", {{"model", model_.model->name()}});
    lacks_tools_ = leaves_out_tools();
    auto calling = send(std::move(request), round, hold, reservation, used);
    auto value = co_await std::move(calling);
    if (run_.is_watched()) run_.tell(model_silent, {});
    if (audit) audit->model_called(step_path, std::move(audited_question), value, used);
    base::fault::point("turn.after_model");
    co_return value;
}

// Each try of the model. A wait that is longer than a failing model would take is not waited out.
base::awaitable<base::result<void>> model_call::pass_gates(
    gate_hold& hold, std::chrono::milliseconds timeout
) {
    auto const longest = gives_way_ ? 0ms : reservation_patience;
    auto admitted = co_await pass(model_.breaker, longest, timeout);
    if (admitted) hold.begin();
    // What is the same gate is asked once: its trial is one use.
    if (admitted && model_.rate != model_.breaker)
        admitted = co_await pass(model_.rate, reservation_patience, timeout);
    co_return admitted;
}

base::awaitable<base::result<void>> model_call::pass(
    std::string gate, std::chrono::milliseconds patience, std::chrono::milliseconds timeout
) {
    // The step's own end: nothing is heard of a call behind it.
    auto const longest_use = timeout + bounds::model_step_margin;
    auto admitted = co_await run_.steps().admit(std::move(gate), patience, longest_use);
    if (admitted) co_return admitted;
    auto refusal = not_asked(admitted.error());
    // Beyond the usual patience: it is tried again only where the node says so itself.
    refusal.retry_after =
        std::max(reservation_patience, model_.timeout + bounds::model_step_margin);
    co_return refusal;
}

base::awaitable<queue::step_value> model_call::send(
    chat_request request,
    round_question const& round,
    gate_hold& hold,
    std::optional<budget_reservations::call>& reservation,
    queue::usage& used
) {
    request.accepted = [&hold] { hold.accepted(); };
    auto reply = co_await ask_until_stopped(std::move(request), round);
    base::result<void> outcome;
    if (!reply) outcome = reply.error();
    hold.report(outcome);
    if (!reply) {
        if (reservation) reservation->pay({});
        provider_failure_ = reply.error();
        co_return reply.error();
    }
    note_refused_tools(*reply);
    used = usage_of(*reply);
    run_.steps().spend(step_, used);
    if (reservation) reservation->pay({1, used.tokens_in + used.tokens_out, used.cost_micro});
    auto recorded = to_json(*reply);
    if (!reply->calls.empty()) recorded.as_object()[limit_member] = round.most_calls;
    if (lacks_tools_ || reply->lacks_tools) add_shortfall(recorded, degraded_by::tools_missing);
    if (lacks_images_) add_shortfall(recorded, degraded_by::images_missing);
    co_return recorded;
}

// What a call of this kind usually pays, for those that are asked for meanwhile.
storage::spending model_call::estimate(chat_request const& request) const noexcept {
    constexpr int usual_answer = 1000;
    constexpr int usual_image = 1500;
    auto bytes = request.system.size() + request.trailing_context.size();
    std::int64_t images = 0;
    for (auto const& message : request.messages) {
        bytes += message.content.size();
        images += std::ssize(message.images);
    }
    token_usage tokens;
    tokens.input = static_cast<std::int64_t>(bytes) / bytes_of_a_token + images * usual_image;
    tokens.output = std::min(request.max_tokens, usual_answer);
    return {1, tokens.input + tokens.output, cost_micro(tokens, model_.prices)};
}

audit_trail::model_question model_call::audited(chat_request const& request) const {
    auto const& name = model_.model->name();
    return {name, question_text(name, request), request.messages.size(), request.tools.size()};
}

std::string model_call::question(round_question const& round) const {
    return fmt::format(
        "{}\n{}\n{}\n\n{}\n\n{}",
        step_,
        item_,
        settings_.system_prompt,
        round.transcript.question().content,
        settings_.prompt
    );
}

// What holds for this question alone. Where it is a conversation, all that is known of its messages stands there.
std::string model_call::notes_of(round_question const& round) const {
    if (!round.instruction.empty()) return std::string(round.instruction);
    auto const& heard = run_.started_by().heard;
    return heard && settings_.knows_message ? notes_on(*heard) : std::string();
}

// What holds for this call alone: the time, and whom it is for.
std::string model_call::notes_for_now() const {
    auto const& services = run_.services();
    auto const& heard = run_.started_by().heard;
    auto const& chosen = run_.conversation().settings();
    auto zone = chosen.timezone;
    if (zone.empty() && heard && services.timezone_of) zone = services.timezone_of(heard->from.bot);
    auto notes = current_time_note(services.clock.now(), zone);
    if (auto const* lexicon = language::find_lexicon(chosen.language)) {
        auto const& words = language::notices_in(lexicon->code);
        notes.append("\n\n").append(chosen_language_note(words.english_name));
    }
    if (!heard || !settings_.knows_message) return notes;
    auto const reactions = note_on_reactions(run_.conversation().reactions(), heard->user);
    if (!reactions.empty()) notes.append("\n\n").append(reactions);
    return notes;
}

chat_request model_call::request_of(round_question const& round, std::chrono::milliseconds timeout)
    const {
    chat_request request;
    if (model_.model->capabilities().tools) request.tools = tools_->specs();
    request.foreign_tools = described_by_others(*tools_);
    request.system = system_prompt(
        settings_.system_prompt + settings_.format_instructions(),
        request.tools,
        request.foreign_tools
    );
    request.messages = round.transcript.messages();
    put_documents_into_words(request.messages);
    show_results(request.messages, model_.model->capabilities().vision);
    bool const marked = mark_results(request.messages, *tools_);
    auto const& memories = round.transcript.memories();
    if (marked || memories || offers_untrusted(*tools_))
        request.system.append("\n\n").append(untrusted_notice);
    request.trailing_context = notes_for_now();
    if (memories && !memories->empty())
        request.trailing_context.append("\n\n").append(note_on_memories(*memories));
    if (auto const notes = notes_of(round); !notes.empty())
        request.trailing_context.append("\n\n").append(notes);
    request.choice = round.choice;
    request.max_tokens = model_.max_tokens;
    request.temperature = model_.temperature;
    if (settings_.schema) request.answer_schema = settings_.schema_text;
    request.timeout = timeout;
    auto const is_watched = [this] { return run_.is_watched() && !settings_.speaks_by_tools; };
    bool const watched = model_.stream == streaming::watched && is_watched();
    if (watched || model_.stream == streaming::always)
        request.hear = [this, is_watched](std::string_view text) {
            if (is_watched()) tell_words(run_, text);
        };
    return request;
}

} // namespace postrider::agent::flow
