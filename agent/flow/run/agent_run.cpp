#include "agent/flow/run/agent_run.hpp"

#include "agent/flow/budgets.hpp"
#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/nodes/agent.hpp"
#include "agent/flow/run/failure_text.hpp"
#include "agent/flow/run/question_documents.hpp"
#include "agent/flow/run/silence_report.hpp"
#include "agent/loop/speaker.hpp"
#include "agent/models/vendor_words.hpp"
#include "base/log.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// Of the engine's words, behind what a model said.
void add_paragraph(std::string& answer, std::string_view words) {
    answer.append("\n\n").append(words);
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
        co_return co_await tell_missing(std::move(*missing));
    }
    auto earlier = co_await memory_.recall(settings_.prompt, models_->recorded());
    auto const asker = requester_of(run_).user;
    for (auto const* family : families_)
        earlier = family->without_turns_of_others(std::move(earlier), asker);
    chat_message question{.role = role::user, .content = settings_.prompt, .speaker = asker};
    question.documents = co_await read_documents(run_, progress_.item);
    memory_.take_question(earlier, question);
    transcript_.begin(std::move(earlier), std::move(question), memory_.take_memories());
    memory_.keep_question(transcript_.question(), models_->recorded());
    round_outcome text;
    while (!text) text = co_await round();
    co_await memory_.write_out();
    note_metadata();
    if (failure_ && !answered_) co_return *failure_;
    if (failure_) {
        bool const is_empty = is_empty_budget(*failure_);
        if (is_empty && settings_.speaks_by_tools) report_silence(run_, *failure_);
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
    // Words of people come to it unasked, and make it say whatever they can.
    auto const private_words = settings_.speaks_by_tools ? settings_.system_prompt : "";
    tools_.emplace(run_, std::move(*tools), private_words);
    co_await memory_.open();
    co_return missing;
}

base::awaitable<json::value> agent_run::tell_missing(missing_part missing) {
    failure_ = std::move(missing.failure);
    bool const lacks_tools = missing.reason == degraded_by::tools_missing;
    // Apart: g++ 12 destroys too much behind an await within a conditional expression.
    std::string text;
    if (lacks_tools)
        text = (co_await words())->tools_not_set_up;
    else
        text = failure_text(*failure_, co_await language());
    if (!lacks_tools)
        report_model_failure();
    else if (!steps_.is_read_only())
        base::log::warn("turn.tools_missing", {{"job", steps_.job().id}, {"error", *failure_}});
    memory_.give_apology(text, false);
    run_.degrade(degradation_of(missing.reason, *failure_));
    note_metadata();
    co_return output(std::move(text));
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
        .transcript = transcript_, .choice = turn_.choice(), .failure = failure_};
    if (turn_.is_by_rules() || failure_) question.language = co_await language();
    question.first = transcript_.in_first_round();
    question.most_calls = settings_.max_tool_calls;
    question.images = images_.empty() ? nullptr : &images_;
    question.instruction = memory_.instruction();
    auto reply = co_await models_->ask(question);
    bool const was_recorded = models_->was_recorded();
    if (question.first && !was_recorded) memory_.note_size(reply ? reply->usage.input : 0);
    if (!reply && models_->current().is_rules()) {
        failure_ = reply.error();
        if (!was_recorded) report_model_failure();
        begin_rules();
        co_return std::nullopt;
    }
    if (!reply) co_return co_await give_up(reply.error(), was_recorded);
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
        co_return co_await insist_on_tools(std::move(reply.text), missing->ask_again, was_recorded);
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
        co_return co_await conclude(std::move(*final_answer), was_recorded);
    auto const& notices = *co_await words(); // apart, as all that is awaited within braces
    answer fallback{list_results(transcript_.results(), notices)};
    fallback.shortfall = std::get<agent::give_up>(next).shortfall;
    co_return co_await conclude(std::move(fallback), was_recorded);
}

agent_run::round_outcome agent_run::end_without_words(answer const& silence) {
    if (silence.shortfall) run_.degrade(degradation_of(*silence.shortfall));
    return std::string{};
}

// What the tools found is an answer, too.
base::awaitable<agent_run::round_outcome> agent_run::give_up(
    base::error failure, bool was_recorded
) {
    failure_ = std::move(failure);
    if (!was_recorded) report_model_failure();
    bool const is_budget_empty = is_empty_budget(*failure_);
    bool const has_words = !settings_.schema && !settings_.speaks_by_tools;
    bool const explains_budget = is_budget_empty && run_.started_by().answered() && has_words;
    bool const explains_failure = settings_.when_model_fails == model_failure_policy::tell;
    // What was to be JSON is not answered by a list in words.
    bool const lists_results = turn_.is_concluding() && has_words;
    bool const is_silent = is_budget_empty && settings_.speaks_by_tools; // owners hear of it
    answered_ = lists_results || explains_failure || explains_budget || is_silent;
    if (!answered_ || is_silent) co_return std::string{};
    auto text = failure_text(*failure_, co_await language());
    if (lists_results) {
        auto const& notices = *co_await words();
        auto listed = within_bounds({list_results(transcript_.results(), notices)});
        if (listed.cut) add_paragraph(listed.text, notices.cut_off);
        if (repetition_) add_paragraph(listed.text, repetition_note(*repetition_, notices));
        if (is_budget_empty) add_paragraph(listed.text, text);
        text = std::move(listed.text);
        memory_.give({.role = role::assistant, .content = text}, was_recorded);
    } else {
        memory_.give_apology(text, was_recorded);
    }
    co_return text;
}

// The answer: with a schema, one that fits, or the model is told what does not.
base::awaitable<agent_run::round_outcome> agent_run::conclude(answer draft, bool was_recorded) {
    bool const offers_new =
        !settings_.schema && !progress_.has_offered_new && memory_.offers_new_conversation();
    if (draft.text.empty()) draft.text = text_of(draft, *co_await words());
    if (settings_.schema) {
        auto parsed = settings_.read_answer(draft.text);
        if (!parsed)
            co_return ask_for_correction(
                std::move(draft.text),
                parsed.error().detail,
                "the model's answer does not fit the schema that it was given"
            );
        if (co_await claims_falsely(*parsed))
            co_return ask_for_correction(
                std::move(draft.text),
                "Your answer tells of changes that no tool of this turn has made. Answer again, "
                "and "
                "say only what the tools have done.",
                "the model's answer tells of changes that were not made"
            );
        structured_ = std::move(*parsed);
    } else {
        draft.text = co_await reviewed(std::move(draft.text));
        draft = within_bounds(std::move(draft));
        if (draft.cut) {
            auto const& notices = *co_await words();
            add_paragraph(
                draft.text, draft.is_cut_by_length ? notices.cut_off : notices.ended_early
            );
        }
        if (auto const& calls = transcript_.reported(); !calls.empty())
            draft.text += report_of(draft.text, calls, *co_await words());
        if (repetition_)
            add_paragraph(draft.text, repetition_note(*repetition_, *co_await words()));
        if (offers_new) add_paragraph(draft.text, co_await offer());
        progress_.has_offered_new = progress_.has_offered_new || offers_new;
    }
    if (draft.shortfall) run_.degrade(degradation_of(*draft.shortfall));
    chat_message message{.role = role::assistant, .content = draft.text};
    message.left_open = std::move(draft.left_open);
    memory_.give(message, was_recorded, offers_new);
    co_return std::move(draft.text);
}

base::awaitable<std::string> agent_run::offer() {
    auto text = (co_await words())->long_conversation;
    for (auto const* family : families_)
        text.append(" ").append(family->note_on_kept_data(co_await language()));
    co_return text;
}

base::awaitable<turn_account> agent_run::account() {
    auto const spoken = co_await language();
    co_return turn_account{transcript_.results(), transcript_.question().content, spoken};
}

// Read once: what was asked stays. The person's own words go before the prompt that they stand in, which is there
// only once the first round begins.
base::awaitable<std::string_view> agent_run::language() {
    if (!language_.empty()) co_return language_;
    if (run_.started_by().answered()) language_ = co_await run_.conversation().language();
    auto const asked = transcript_.opening();
    if (language_.empty() && !asked.empty()) language_ = language_of(asked, asked.back().speaker);
    co_return language_;
}

base::awaitable<language::notices const*> agent_run::words() {
    co_return &language::notices_in(co_await language());
}

base::awaitable<std::string> agent_run::reviewed(std::string text) {
    if (families_.empty()) co_return text;
    auto const turn = co_await account();
    for (auto const* family : families_)
        text = turn_.is_by_rules() ? family->complete(std::move(text), turn)
                                   : family->review(std::move(text), turn);
    co_return text;
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
base::awaitable<bool> agent_run::claims_falsely(json::value const& answer) {
    if (families_.empty()) co_return false;
    std::string sentences;
    collect_sentences(answer, sentences);
    auto const reviewed_text = co_await reviewed(sentences);
    co_return reviewed_text.find(sentences) == std::string::npos;
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
