#include "agent/flow/run/agent_run.hpp"

#include "agent/budgets.hpp"
#include "agent/failure_text.hpp"
#include "agent/flow/nodes/agent.hpp"
#include "agent/models/vendor_words.hpp"
#include "agent/todo/answer_check.hpp"
#include "agent/todo/dialogue.hpp"
#include "agent/todo/task_definitions.hpp"
#include "agent/todo/task_words.hpp"
#include "base/log.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// Behind an answer, once in a conversation.
constexpr std::string_view new_conversation_offer =
    "This conversation is long: I no longer see its beginning. Send /new to begin a new one.";
constexpr std::string_view tasks_stay = " Your tasks stay.";

constexpr std::string_view fixed_rules = "rules/"; // begins the name of a model that is none

bool has_fixed_rules(model_choice const& model) {
    return model.part.model->name().starts_with(fixed_rules);
}

// Those of the message that is answered, where the item is still its trigger's.
std::vector<image_source> images_of(node_run const& run, item const& input) {
    auto const& heard = run.started_by().heard;
    if (!heard || heard->images.empty()) return {};
    auto const* members = input.json.if_object();
    auto const* passed = members ? members->if_contains("images") : nullptr;
    return passed && *passed == json::value(to_json(heard->images)) ? heard->images
                                                                    : std::vector<image_source>();
}

bool offers_task_tools(offered_tools const& tools) {
    auto const* found = tools.find(todo::create_tool);
    return found && found->kind == todo::task_tool_kind;
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

base::awaitable<base::result<json::value>> agent_run::go() {
    if (auto missing = co_await gather_parts()) {
        if (settings_.when_model_fails != model_failure_policy::tell) co_return missing->failure;
        co_return tell_missing(std::move(*missing));
    }
    auto earlier = co_await memory_.recall(settings_.prompt);
    auto const asker = requester_of(run_).user;
    if (offers_tasks_) earlier = todo::without_tasks_of_others(std::move(earlier), asker);
    chat_message question{.role = role::user, .content = settings_.prompt, .speaker = asker};
    transcript_.begin(std::move(earlier), std::move(question));
    memory_.keep_question(transcript_.question(), is_next_recorded());
    finding text;
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
        missing.emplace(degraded_by::model_failed, models.error());
        co_return missing;
    }
    auto tools = co_await connected_tools(run_, progress_.item);
    if (!tools) {
        missing.emplace(degraded_by::tools_missing, tools.error());
        co_return missing;
    }
    offers_tools_ = !(*tools)->specs().empty();
    offers_tasks_ = offers_task_tools(**tools);
    if (settings_.has_rules()) rules_.emplace(run_, *tools, settings_.timezone);
    if (models) {
        without_model_ = std::ranges::all_of(*models, has_fixed_rules);
        // The agent's own rules stand behind the last one.
        if (rules_ && !without_model_) std::erase_if(*models, has_fixed_rules);
        models_.emplace(run_, settings_, progress_.item, std::move(*models), *tools);
    } else {
        failure_ = models.error();
        report_model_failure();
    }
    tools_.emplace(run_, std::move(*tools));
    co_await memory_.open();
    co_return missing;
}

json::value agent_run::tell_missing(missing_part missing) {
    failure_ = std::move(missing.failure);
    bool const lacks_tools = missing.reason == degraded_by::tools_missing;
    auto text = lacks_tools ? missing_tools_text() : failure_text(*failure_);
    if (!lacks_tools)
        report_model_failure();
    else if (!steps_.looks_on())
        base::log::warn("turn.tools_missing", {{"job", steps_.job().id}, {"error", *failure_}});
    memory_.give(text, false);
    run_.degrade(degradation_of(missing.reason, *failure_));
    note_metadata();
    return output(std::move(text));
}

// Looking at what happened logs nothing. The job keeps what the provider said, the log does not.
void agent_run::report_model_failure() const {
    if (steps_.looks_on()) return;
    if (is_empty_budget(*failure_))
        return base::log::info("turn.budget_empty", {{"job", steps_.job().id}});
    auto const told = without_words(*failure_);
    base::log::warn("turn.model_failed", {{"job", steps_.job().id}, {"error", told}});
}

// What stands in the record goes before the configuration, which may be another by now.
bool agent_run::is_for_rules() const {
    if (!rules_) return false;
    if (by_rules_) return true;
    if (!models_) return true;
    if (models_->recorded()) return false;
    return rules_->recorded() || without_model_;
}

// What the model or the rules say next, or how the model fails.
bool agent_run::is_next_recorded() const {
    return (models_ && models_->recorded()) || (rules_ && rules_->recorded());
}

base::awaitable<agent_run::finding> agent_run::round() {
    bool const begins = !by_rules_;
    if (is_for_rules()) {
        // A model that was asked for a while, and is not any more, may have tries in the record.
        if (begins) steps_.forgo();
        co_return co_await round_by_rules();
    }
    co_return co_await round_by_model();
}

// One model call and what it leads to. A step that is found in the record has its rows there too.
base::awaitable<agent_run::finding> agent_run::round_by_model() {
    model_call::round asked{.said = transcript_, .choice = choice()};
    asked.first = transcript_.in_first_round();
    asked.most_calls = settings_.max_tool_calls;
    asked.images = images_.empty() ? nullptr : &images_;
    auto reply = co_await models_->ask(asked);
    bool const known = models_->was_recorded();
    if (!reply && rules_) {
        failure_ = reply.error();
        if (!known) report_model_failure();
        co_return co_await round_by_rules();
    }
    if (!reply) co_return give_up(reply.error(), known);
    failure_.reset();
    loop_limits const limits{models_->current().most_calls(), settings_.max_iterations};
    co_return co_await follow(std::move(*reply), limits, known);
}

// From here to the end of the item, so that nobody gets two answers. The rules end by themselves: the
// limits are not the model's.
base::awaitable<agent_run::finding> agent_run::round_by_rules() {
    by_rules_ = answered_ = true;
    state_.concluding = false;
    repetition_.reset();
    if (has_insisted_ && state_.calls == 0) transcript_.forget_rounds();
    bool const known = rules_->recorded();
    auto reply = co_await rules_->ask(transcript_.messages(), failure_);
    loop_limits const limits{bounds::tool_calls.most, 2 * bounds::iterations.most};
    co_return co_await follow(std::move(reply), limits, known);
}

base::awaitable<agent_run::finding> agent_run::follow(
    chat_reply reply, loop_limits limits, bool known
) {
    if (!by_rules_ && choice() == tool_choice::none && !state_.concluding) {
        // Servers that do not know the word take the tools for offered all the same.
        reply.calls.clear();
        if (reply.stop == stop_reason::tool_calls) reply.stop = stop_reason::end;
    }
    if (called_no_tool(reply)) co_return co_await insist_on_tools(std::move(reply.text), known);
    auto next = decide(state_, limits, reply);
    if (auto* calls = std::get_if<run_tools>(&next))
        co_return co_await use_tools(std::move(reply), std::move(*calls), known);
    if (auto* said = std::get_if<answer>(&next)) co_return conclude(std::move(*said), known);
    answer listed{list_results(transcript_.results())};
    listed.shortfall = std::get<agent::give_up>(next).shortfall;
    co_return conclude(std::move(listed), known);
}

// What the tools found is an answer, too.
agent_run::finding agent_run::give_up(base::error failure, bool known) {
    failure_ = std::move(failure);
    if (!known) report_model_failure();
    bool const empty = is_empty_budget(*failure_);
    bool const told = empty && run_.started_by().answered() && !settings_.schema;
    bool const tells = settings_.when_model_fails == model_failure_policy::tell;
    // What was to be JSON is not answered by a list in words.
    bool const lists = state_.concluding && !settings_.schema;
    answered_ = lists || tells || told;
    if (!answered_) return std::string{};
    auto text = failure_text(*failure_);
    if (lists) {
        auto listed = within_bounds({list_results(transcript_.results())});
        if (listed.cut) listed.text += cut_note;
        if (repetition_) listed.text += repetition_note(*repetition_);
        text = empty ? listed.text + "\n\n" + text : std::move(listed.text);
    }
    memory_.give(text, known);
    return text;
}

tool_choice agent_run::choice() const {
    if (state_.concluding) return tool_choice::none;
    // Once a tool was called the model is free to answer.
    if (settings_.choice == tool_choice::required && state_.calls > 0)
        return tool_choice::automatic;
    return settings_.choice;
}

// The answer: with a schema, one that fits, or the model is told what does not.
agent_run::finding agent_run::conclude(answer said, bool known) {
    bool const offers_new =
        !settings_.schema && !progress_.has_offered_new && memory_.offers_new_conversation();
    if (settings_.schema) {
        auto fits = settings_.read_answer(said.text);
        if (!fits)
            return mend(
                std::move(said.text),
                fits.error().detail,
                "the model's answer does not fit the schema that it was given"
            );
        if (claims_falsely(*fits))
            return mend(
                std::move(said.text),
                "Your answer says that tasks were changed, but no tool of this turn did that. "
                "Answer "
                "again, and say only what the tools have done.",
                "the model's answer tells of changes that were not made"
            );
        structured_ = std::move(*fits);
    } else {
        if (offers_tasks_) said.text = told_of_tasks(std::move(said.text));
        said = within_bounds(std::move(said));
        if (said.cut) said.text += cut_note;
        said.text += report_of(said.text, transcript_.reported());
        if (repetition_) said.text += repetition_note(*repetition_);
        if (offers_new) said.text += offer();
        progress_.has_offered_new = progress_.has_offered_new || offers_new;
    }
    if (said.shortfall) run_.degrade(degradation_of(*said.shortfall));
    memory_.give(said.text, known, offers_new);
    return std::move(said.text);
}

std::string agent_run::offer() const {
    auto text = "\n\n" + std::string(new_conversation_offer);
    if (offers_tasks_) text += tasks_stay;
    return text;
}

std::string agent_run::told_of_tasks(std::string text) const {
    auto const& results = transcript_.results();
    auto const& asked = transcript_.question().content;
    auto const language = language_of_tasks();
    return by_rules_ ? todo::with_confirmations(std::move(text), results, language)
                     : todo::checked_answer(std::move(text), results, asked, language);
}

std::string_view agent_run::language_of_tasks() const {
    return todo::language_of(transcript_.asked(), transcript_.question().speaker);
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
    if (!offers_tasks_) return false;
    std::string sentences;
    collect_sentences(answer, sentences);
    return told_of_tasks(sentences).find(sentences) == std::string::npos;
}

// Some models take no force, and some servers do not know the word.
bool agent_run::called_no_tool(chat_reply const& reply) const {
    return !by_rules_ && !without_model_ && offers_tools_ && choice() == tool_choice::required &&
           reply.stop == stop_reason::end && reply.calls.empty();
}

// Once; then there is no answer, from this model or another.
base::awaitable<agent_run::finding> agent_run::insist_on_tools(std::string text, bool known) {
    base::error failure(base::errc::invalid, "the model called no tool, though it had to");
    if (has_round_left() && !std::exchange(has_insisted_, true))
        co_return mend(
            std::move(text),
            "You have called no tool. Call at least one of your tools before you answer.",
            std::move(failure.detail)
        );
    if (!rules_) co_return give_up(std::move(failure), known);
    failure_ = std::move(failure);
    if (!known) report_model_failure();
    co_return co_await round_by_rules();
}

bool agent_run::has_round_left() const {
    return !state_.concluding && state_.rounds + 1 < settings_.max_iterations;
}

// What is said to the model stays between it and us.
agent_run::finding agent_run::mend(std::string text, std::string instructions, std::string reason) {
    if (!has_round_left()) {
        failure_ = base::error(base::errc::invalid, std::move(reason));
        return text; // nobody gets it: it is no part of the conversation
    }
    ++state_.rounds;
    if (!text.empty()) transcript_.add({.role = role::assistant, .content = std::move(text)});
    transcript_.add({.role = role::user, .content = std::move(instructions)});
    return std::nullopt;
}

void agent_run::note_metadata() {
    run_.note("iterations", state_.rounds + 1);
    run_.note("tool_calls", state_.calls);
    run_.note("tools_used", transcript_.tools_used());
    auto const used = models_ ? models_->used() : queue::usage{};
    run_.note("tokens_in", used.tokens_in);
    run_.note("tokens_out", used.tokens_out);
    if (used.tokens_cached > 0) run_.note("tokens_cached", used.tokens_cached);
    if (used.cost_micro > 0) run_.note("cost", static_cast<double>(used.cost_micro) / 1e6);
    if (by_rules_)
        run_.note("answered_by", json::value(rules_call::step));
    else if (models_ && !models_->is_first() && !failure_)
        run_.note("answered_by", json::value(models_->current().name()));
    if (failure_) run_.note("error_class", json::value(base::to_string(failure_->code)));
}

json::value agent_run::output(std::string text) const {
    json::object answer{
        {"text", std::move(text)},
        {"iterations", state_.rounds + 1},
        {"tool_calls", state_.calls},
    };
    if (!structured_.is_null()) answer["output"] = structured_;
    if (failure_)
        answer["error"] =
            json::object{{"code", base::to_string(failure_->code)}, {"message", failure_->detail}};
    return answer;
}

base::awaitable<base::result<outputs>> run_agent(node_run& run) {
    items answers;
    agent_progress progress;
    for (std::size_t i = 0; i < run.input().size(); ++i) {
        progress.item = i;
        auto parameters = co_await run.parameters(i);
        if (!parameters) co_return parameters.error();
        auto settings = agent_settings_from(std::move(*parameters));
        if (!settings) co_return settings.error();
        agent_run agent(run, std::move(*settings), progress);
        auto answer = co_await agent.go();
        if (!answer) co_return answer.error();
        answers.push_back({std::move(*answer)});
    }
    outputs by_port;
    by_port.emplace("main", std::move(answers));
    co_return by_port;
}

} // namespace postrider::agent::flow
