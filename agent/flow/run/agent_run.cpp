#include "agent/flow/run/agent_run.hpp"

#include "agent/flow/budgets.hpp"
#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/nodes/agent.hpp"
#include "agent/flow/run/failure_text.hpp"
#include "agent/loop/speaker.hpp"
#include "agent/models/vendor_words.hpp"
#include "base/log.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// Of the engine's words, behind what a model said.
void add_paragraph(std::string& answer, std::string_view words) {
    answer.append("\n\n").append(words);
}

// Those of the message that is answered, where the item is still its trigger's.
std::vector<image_source> images_of(node_run const& run, item const& input) {
    auto const& heard = run.started_by().heard;
    if (!heard || heard->images.empty()) return {};
    auto const* members = input.json.if_object();
    auto const* item_images = members ? members->if_contains("images") : nullptr;
    return item_images && *item_images == json::value(to_json(heard->images))
               ? heard->images
               : std::vector<image_source>();
}

} // namespace

agent_run::agent_run(node_run& run, agent_settings settings, agent_progress& progress)
    : run_(run),
      steps_(run.steps()),
      settings_(std::move(settings)),
      progress_(progress),
      images_(
          run,
          settings_.images ? std::move(*settings_.images)
                           : images_of(run, run.input()[progress.item])
      ),
      memory_(run, progress) {}

base::awaitable<base::result<json::value>> agent_run::run_item() {
    if (auto missing = co_await gather_parts()) {
        if (settings_.when_model_fails != model_failure_policy::tell) co_return missing->failure;
        co_return tell_missing(std::move(*missing));
    }
    auto earlier = co_await memory_.recall(settings_.prompt);
    auto const asker = requester_of(run_).user;
    for (auto const* family : families_)
        earlier = family->without_turns_of_others(std::move(earlier), asker);
    chat_message question{.role = role::user, .content = settings_.prompt, .speaker = asker};
    transcript_.begin(std::move(earlier), std::move(question));
    memory_.keep_question(transcript_.question(), models_->recorded());
    round_outcome text;
    while (!text) text = co_await round();
    note_metadata();
    if (failure_ && !answered_) co_return *failure_;
    if (failure_) {
        bool const is_empty = is_empty_budget(*failure_);
        auto const reason = is_empty ? degraded_by::budget_empty : degraded_by::model_failed;
        run_.degrade(degradation_of(reason, *failure_));
    }
    co_return output(std::move(*text));
}

base::awaitable<std::optional<agent_run::missing_part>> agent_run::gather_parts() {
    std::optional<missing_part> missing;
    auto models = co_await connected_models(run_, progress_.item);
    if (!models && !settings_.has_rules()) {
        missing = missing_part{degraded_by::model_failed, models.error()};
        co_return missing;
    }
    auto tools = co_await connected_tools(run_, progress_.item);
    if (!tools) {
        missing = missing_part{degraded_by::tools_missing, tools.error()};
        co_return missing;
    }
    if (!models) {
        failure_ = models.error();
        report_model_failure();
        models = std::vector<model_choice>();
    }
    families_ = (*tools)->families();
    models_.emplace(run_, settings_, progress_.item, std::move(*models), *tools);
    turn_ = turn(
        {.rounds = settings_.max_iterations,
         .choice = settings_.choice,
         .insists = models_->insists_on_calls() && !(*tools)->specs().empty(),
         .speaks_by_tools = settings_.speaks_by_tools,
         .nudges = settings_.nudges && !(*tools)->specs().empty()}
    );
    tools_.emplace(run_, std::move(*tools));
    co_await memory_.open();
    co_return missing;
}

json::value agent_run::tell_missing(missing_part missing) {
    failure_ = std::move(missing.failure);
    bool const lacks_tools = missing.reason == degraded_by::tools_missing;
    auto text = lacks_tools ? words().tools_not_set_up : failure_text(*failure_, language());
    if (!lacks_tools)
        report_model_failure();
    else if (!steps_.is_read_only())
        base::log::warn("turn.tools_missing", {{"job", steps_.job().id}, {"error", *failure_}});
    memory_.give_apology(text, false);
    run_.degrade(degradation_of(missing.reason, *failure_));
    note_metadata();
    return output(std::move(text));
}

// Looking at what happened logs nothing. The job keeps what the provider said, the log does not.
void agent_run::report_model_failure() const {
    if (steps_.is_read_only()) return;
    if (is_empty_budget(*failure_))
        return base::log::info("turn.budget_empty", {{"job", steps_.job().id}});
    auto const logged_error = without_words(*failure_);
    base::log::warn("turn.model_failed", {{"job", steps_.job().id}, {"error", logged_error}});
}

// One question and what it leads to. A step that is found in the record has its rows there too.
base::awaitable<agent_run::round_outcome> agent_run::round() {
    if (!turn_.is_by_rules() && models_->comes_to_rules()) {
        // A model that was asked for a while, and is not any more, may have tries in the record.
        steps_.skip_unasked();
        begin_rules();
    }
    round_question question{
        .transcript = transcript_,
        .choice = turn_.choice(),
        .failure = failure_,
        .language = turn_.is_by_rules() || failure_ ? language() : std::string_view{}};
    question.first = transcript_.in_first_round();
    question.most_calls = settings_.max_tool_calls;
    question.images = images_.empty() ? nullptr : &images_;
    auto reply = co_await models_->ask(question);
    bool const was_recorded = models_->was_recorded();
    if (!reply && models_->current().is_rules()) {
        failure_ = reply.error();
        if (!was_recorded) report_model_failure();
        begin_rules();
        co_return std::nullopt;
    }
    if (!reply) co_return give_up(reply.error(), was_recorded);
    if (!turn_.is_by_rules()) failure_.reset();
    co_return co_await act_on_reply(std::move(*reply), was_recorded);
}

// From here to the end of the item, so that nobody gets two answers.
void agent_run::begin_rules() {
    answered_ = true;
    repetition_.reset();
    if (turn_.begin_rules()) transcript_.forget_rounds();
}

base::awaitable<agent_run::round_outcome> agent_run::act_on_reply(
    chat_reply reply, bool was_recorded
) {
    auto next = turn_.take_reply(reply, models_->current().limits());
    if (auto const* missing = std::get_if<call_missing>(&next))
        co_return insist_on_tools(std::move(reply.text), missing->ask_again, was_recorded);
    if (std::holds_alternative<words_unsent>(next))
        co_return ask_for_correction(
            std::move(reply.text),
            "Nobody sees what you write here. Call a tool to say something, or end without words.",
            "the model sent nothing"
        );
    if (auto* calls = std::get_if<run_tools>(&next))
        co_return co_await use_tools(std::move(reply), std::move(*calls), was_recorded);
    if (settings_.speaks_by_tools) co_return end_without_words(std::get<answer>(next));
    if (auto* final_answer = std::get_if<answer>(&next))
        co_return conclude(std::move(*final_answer), was_recorded);
    answer fallback{list_results(transcript_.results(), words())};
    fallback.shortfall = std::get<agent::give_up>(next).shortfall;
    co_return conclude(std::move(fallback), was_recorded);
}

agent_run::round_outcome agent_run::end_without_words(answer const& silence) {
    if (silence.shortfall) run_.degrade(degradation_of(*silence.shortfall));
    return std::string{};
}

// What the tools found is an answer, too.
agent_run::round_outcome agent_run::give_up(base::error failure, bool was_recorded) {
    failure_ = std::move(failure);
    if (!was_recorded) report_model_failure();
    bool const is_budget_empty = is_empty_budget(*failure_);
    bool const has_words = !settings_.schema && !settings_.speaks_by_tools;
    bool const explains_budget = is_budget_empty && run_.started_by().answered() && has_words;
    bool const explains_failure = settings_.when_model_fails == model_failure_policy::tell;
    // What was to be JSON is not answered by a list in words.
    bool const lists_results = turn_.is_concluding() && has_words;
    answered_ = lists_results || explains_failure || explains_budget;
    if (!answered_) return std::string{};
    auto text = failure_text(*failure_, language());
    if (lists_results) {
        auto listed = within_bounds({list_results(transcript_.results(), words())});
        if (listed.cut) add_paragraph(listed.text, words().cut_off);
        if (repetition_) add_paragraph(listed.text, repetition_note(*repetition_, words()));
        if (is_budget_empty) add_paragraph(listed.text, text);
        text = std::move(listed.text);
        memory_.give({.role = role::assistant, .content = text}, was_recorded);
    } else {
        memory_.give_apology(text, was_recorded);
    }
    return text;
}

// The answer: with a schema, one that fits, or the model is told what does not.
agent_run::round_outcome agent_run::conclude(answer draft, bool was_recorded) {
    bool const offers_new =
        !settings_.schema && !progress_.has_offered_new && memory_.offers_new_conversation();
    if (draft.text.empty()) draft.text = text_of(draft, words());
    if (settings_.schema) {
        auto parsed = settings_.read_answer(draft.text);
        if (!parsed)
            return ask_for_correction(
                std::move(draft.text),
                parsed.error().detail,
                "the model's answer does not fit the schema that it was given"
            );
        if (claims_falsely(*parsed))
            return ask_for_correction(
                std::move(draft.text),
                "Your answer tells of changes that no tool of this turn has made. Answer again, "
                "and "
                "say only what the tools have done.",
                "the model's answer tells of changes that were not made"
            );
        structured_ = std::move(*parsed);
    } else {
        draft.text = reviewed(std::move(draft.text));
        draft = within_bounds(std::move(draft));
        if (draft.cut)
            add_paragraph(
                draft.text, draft.is_cut_by_length ? words().cut_off : words().ended_early
            );
        if (auto const& calls = transcript_.reported(); !calls.empty())
            draft.text += report_of(draft.text, calls, words());
        if (repetition_) add_paragraph(draft.text, repetition_note(*repetition_, words()));
        if (offers_new) add_paragraph(draft.text, offer());
        progress_.has_offered_new = progress_.has_offered_new || offers_new;
    }
    if (draft.shortfall) run_.degrade(degradation_of(*draft.shortfall));
    chat_message message{.role = role::assistant, .content = draft.text};
    message.left_open = std::move(draft.left_open);
    memory_.give(message, was_recorded, offers_new);
    return std::move(draft.text);
}

std::string agent_run::offer() const {
    auto text = words().long_conversation;
    for (auto const* family : families_)
        text.append(" ").append(family->note_on_kept_data(language()));
    return text;
}

turn_account agent_run::account() const {
    return {transcript_.results(), transcript_.question().content, language()};
}

// Read once: what was asked stays. The person's own words go before the prompt that they stand in, which is there
// only once the first round begins.
std::string_view agent_run::language() const {
    if (!language_.empty()) return language_;
    if (run_.started_by().answered()) language_ = run_.conversation().language();
    auto const asked = transcript_.opening();
    if (language_.empty() && !asked.empty()) language_ = language_of(asked, asked.back().speaker);
    return language_;
}

language::notices const& agent_run::words() const {
    return language::notices_in(language());
}

std::string agent_run::reviewed(std::string text) const {
    if (families_.empty()) return text;
    auto const turn = account();
    for (auto const* family : families_)
        text = turn_.is_by_rules() ? family->complete(std::move(text), turn)
                                   : family->review(std::move(text), turn);
    return text;
}

namespace {

void collect_sentences(json::value const& value, std::string& sentences) {
    if (auto const* text = value.if_string(); text && text->find(' ') != text->npos)
        sentences.append(sentences.empty() ? "" : "\n\n").append(*text);
    if (auto const* items = value.if_array())
        for (auto const& item : *items) collect_sentences(item, sentences);
    if (auto const* members = value.if_object())
        for (auto const& member : *members) collect_sentences(member.value(), sentences);
}

} // namespace

// Data stays as it is, so what is not true in it cannot be told otherwise.
bool agent_run::claims_falsely(json::value const& answer) const {
    if (families_.empty()) return false;
    std::string sentences;
    collect_sentences(answer, sentences);
    return reviewed(sentences).find(sentences) == std::string::npos;
}

// Once; then there is no answer, from this model or another.
agent_run::round_outcome agent_run::insist_on_tools(
    std::string text, bool ask_again, bool was_recorded
) {
    base::error failure(base::errc::invalid, "the model called no tool, though it had to");
    if (ask_again)
        return ask_for_correction(
            std::move(text),
            "You have called no tool. Call at least one of your tools before you answer.",
            std::move(failure.detail)
        );
    if (!models_->leave_models()) return give_up(std::move(failure), was_recorded);
    failure_ = std::move(failure);
    if (!was_recorded) report_model_failure();
    begin_rules();
    return std::nullopt;
}

// What is said to the model stays between it and us.
agent_run::round_outcome agent_run::ask_for_correction(
    std::string text, std::string instructions, std::string reason
) {
    if (!turn_.has_round_left()) {
        failure_ = base::error(base::errc::invalid, std::move(reason));
        return text; // nobody gets it: it is no part of the conversation
    }
    turn_.end_round();
    if (!text.empty()) transcript_.add({.role = role::assistant, .content = std::move(text)});
    transcript_.add({.role = role::user, .content = std::move(instructions)});
    return std::nullopt;
}

void agent_run::note_metadata() {
    run_.note("iterations", turn_.rounds() + 1);
    run_.note("tool_calls", turn_.calls());
    run_.note("tools_used", transcript_.tools_used());
    auto const used = models_ ? models_->used() : queue::usage{};
    run_.note("tokens_in", used.tokens_in);
    run_.note("tokens_out", used.tokens_out);
    if (used.tokens_cached > 0) run_.note("tokens_cached", used.tokens_cached);
    if (used.cost_micro > 0) run_.note("cost", static_cast<double>(used.cost_micro) / 1e6);
    bool const is_another = models_ && !models_->is_first() && !failure_;
    if (turn_.is_by_rules() || is_another)
        run_.note("answered_by", json::value(models_->current().name()));
    if (failure_) run_.note("error_class", json::value(base::to_string(failure_->code)));
}

json::value agent_run::output(std::string text) const {
    json::object answer{
        {"text", std::move(text)},
        {"iterations", turn_.rounds() + 1},
        {"tool_calls", turn_.calls()},
    };
    if (!structured_.is_null()) answer["output"] = structured_;
    if (failure_)
        answer["error"] =
            json::object{{"code", base::to_string(failure_->code)}, {"message", failure_->detail}};
    return answer;
}

base::awaitable<base::result<items>> answer_items(node_run& run, agent_translation translate) {
    items answers;
    agent_progress progress;
    for (std::size_t i = 0; i < run.input().size(); ++i) {
        progress.item = i;
        auto parameters = co_await run.parameters(i);
        if (!parameters) co_return parameters.error();
        auto settings = agent_settings_from(translate(*parameters));
        if (!settings) co_return settings.error();
        agent_run agent(run, std::move(*settings), progress);
        auto answer = co_await agent.run_item();
        if (!answer) co_return answer.error();
        answers.push_back({std::move(*answer)});
    }
    co_return answers;
}

base::awaitable<base::result<outputs>> run_agent(node_run& run) {
    auto answers =
        co_await answer_items(run, [](json::object const& parameters) { return parameters; });
    if (!answers) co_return answers.error();
    outputs by_port;
    by_port.emplace("main", std::move(*answers));
    co_return by_port;
}

} // namespace postrider::agent::flow
