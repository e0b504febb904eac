#include "agent/flow/approvals/approve.hpp"

#include "agent/flow/approvals/answer.hpp"
#include "agent/flow/approvals/approvers.hpp"
#include "agent/flow/services.hpp"
#include "agent/talk/degradation.hpp"
#include "agent/talk/question.hpp"
#include "base/json/json.hpp"
#include "storage/stores/approvals.hpp"
#include "storage/stores/questions.hpp"

#include <fmt/format.h>

namespace postrider::agent::approvals {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;

constexpr int most_looks = 5; // at the whole text, while the question is open

bool has_high_risk(proposed_call const& call) {
    return call.tool && call.tool->risk(call.tool->settings, call.arguments) == risk::high;
}

std::vector<proposed_call> fitting(std::vector<proposed_call> const& calls) {
    std::vector<proposed_call> fit;
    for (auto const& call : calls)
        if (call.tool) fit.push_back(call);
    return fit;
}

// Nowhere: the question stands among the approvals alone.
address place_of_turn(flow::execution_input const& by) {
    return by.answered() ? by.answered()->from : address{};
}

json::value to_json(decisions const& decided) {
    json::object verdicts;
    for (auto const& [step, verdict] : decided.verdicts) verdicts[step] = to_string(verdict);
    return verdicts;
}

decisions decisions_from(std::string question, json::value const& recorded) {
    decisions decided{std::move(question), {}};
    for (auto const& [step, verdict] : recorded.as_object())
        decided.verdicts.emplace(step, verdict_from_string(verdict.as_string()).value());
    return decided;
}

class question_run {
public:
    question_run(
        flow::node_run& run,
        std::string name,
        requester const& asked,
        flow::asked_places places,
        std::string preface
    )
        : run_(run),
          steps_(run.steps()),
          services_(run.services()),
          name_(std::move(name)),
          asked_(asked),
          approvers_(steps_, services_, name_),
          places_(places),
          preface_(std::move(preface)),
          at_(place_of_turn(run.started_by())),
          silent_(run.started_by().silent) {}

    base::awaitable<decisions> ask(std::vector<proposed_call> calls) {
        auto const digests = co_await record_digests(calls);
        auto const raised = withheld(calls, digests);
        std::erase_if(calls, [&](auto const& call) { return !digests.contains(call.step); });
        decisions decided;
        if (!calls.empty()) decided = co_await decide(std::move(calls), digests);
        for (auto const& step : raised) decided.verdicts.emplace(step, verdict::withdrawn);
        co_return decided;
    }

private:
    base::awaitable<decisions> decide(
        std::vector<proposed_call> calls, json::object const& digests
    ) {
        if (silent_) steps_.skip_unasked(); // the original sent the question, and edited it
        auto about = short_text(fitting(calls));
        about.text.insert(0, preface_);
        if (!at_.is_complete()) {
            about.text = about.text.substr(0, about.text.rfind("\n\n")) + "\n\nPress a button.";
            if (!silent_) co_await approvers_.choose();
        }
        auto question = question_about(calls, about);
        if (at_.is_complete()) flow::put_into_history(run_, question, places_.question);
        asking const with{services_.out, services_.clock, services_.random};
        auto opened = co_await open(steps_, with, question);
        if (!opened) co_return refused(calls);
        co_await approvers_.send(question, opened->id, places_.question);
        auto const sent = co_await send(steps_, with, question, *opened);
        answer answer; // a question that cannot be brought to anybody is withdrawn
        if (sent) answer = co_await hear(*opened, question, calls);
        if (!sent) run_.degrade(degradation_of(degraded_by::undelivered, sent.error()));
        auto const decided = co_await record_decisions(*opened, calls, digests, answer);
        message_content content;
        auto const end = about.text.rfind("\n\n");
        content.text = about.text.substr(0, end) + "\n\n" + outcome(calls, decided, answer.name);
        // The buttons stand at the question's last part, and so does the outcome.
        if (question.to.is_complete())
            content = std::move(services_.out.split(question.to, std::move(content)).back());
        co_await approvers_.show_outcome(content.text);
        co_await show_outcome(steps_, services_.out, *opened, std::move(content));
        co_return decided;
    }

    // Of the calls that a person is asked about, by their steps: as the record has them. Where it has a
    // call without a question, the risk was lower then: what has begun is not asked about.
    base::awaitable<json::object> record_digests(std::vector<proposed_call> const& calls) {
        auto const name = name_ + "-calls";
        json::object digests;
        for (auto const& call : calls)
            if (has_high_risk(call)) digests[call.step] = todays_digest(call);
        bool const asked = steps_.recorded(name);
        bool const any_has_begun = std::ranges::any_of(calls, &proposed_call::has_begun);
        if (!asked && (digests.empty() || any_has_begun)) co_return json::object{};
        auto const recorded = co_await steps_.record_value(name, json::value(std::move(digests)));
        co_return recorded->as_object();
    }

    // Their risk was raised once the round's question stood or a call of it had begun: a question of
    // their own would not fit the record, and without one they do not run.
    static std::vector<std::string> withheld(
        std::vector<proposed_call> const& calls, json::object const& digests
    ) {
        std::vector<std::string> steps;
        for (auto const& call : calls)
            if (!call.has_begun && has_high_risk(call) && !digests.contains(call.step))
                steps.push_back(call.step);
        return steps;
    }

    question question_about(std::vector<proposed_call> const& calls, request_text const& about) {
        question question;
        question.name = name_;
        question.to = at_;
        question.text = about.text;
        question.choices = {
            {{std::string(approve_text), std::string(approve_choice)},
             {std::string(reject_text), std::string(reject_choice)}}};
        if (about.shortened)
            question.choices.push_back({{"Show all", std::string(show_all_choice), false}});
        if (asked_.user != user_id{}) question.only = asked_.user;
        question.people = approvers_.people();
        question.timeout = services_.approval_timeout;
        question.with_it = [this, &calls](std::string_view id) { return rows(calls, id); };
        return question;
    }

    std::vector<storage::write> rows(
        std::vector<proposed_call> const& calls, std::string_view question
    ) {
        std::vector<storage::write> rows;
        for (auto const& call : fitting(calls))
            rows.push_back(storage::add_approval(
                {.id = base::nanoid(services_.random),
                 .job = steps_.job().id,
                 .lane = steps_.job().lane,
                 .requester = asked_.user,
                 .question = std::string(question),
                 .call = key_of(call),
                 .tool = call.tool->spec.name,
                 .arguments = arguments_to_run(call),
                 .digest = todays_digest(call),
                 .lifetime = services_.approval_timeout}
            ));
        return rows;
    }

    static decisions refused(std::vector<proposed_call> const& calls) {
        decisions all;
        for (auto const& call : calls) all.verdicts.emplace(call.step, verdict::withdrawn);
        return all;
    }

    // Every look at the whole text is steps of the record: after a few, its button goes.
    base::awaitable<answer> hear(
        asked_question const& opened, question asked, std::vector<proposed_call> const& calls
    ) {
        deciders const deciders{services_.out, opened.at, asked_, services_.is_owner};
        for (int look = 0;; ++look) {
            auto event = press_of(opened, services_.clock);
            event.answered_by = [deciders](json::value const& message) {
                return assent_in(message, deciders) != assent::neither;
            };
            auto const ended =
                co_await steps_.wait_for_event(press_step(opened, look), std::move(event));
            auto answer = read_answer(ended, deciders);
            if (!answer.wants_all_text) co_return co_await with_decided(opened, std::move(answer));
            if (look < most_looks) co_await show_all(calls, look);
            if (look + 1 != most_looks) continue;
            asked.choices.pop_back();
            co_await show_again(steps_, services_.out, opened, asked);
        }
    }

    // What was decided over the API stands, whoever pressed a button for the rest; other words
    // withdraw all of it.
    base::awaitable<answer> with_decided(asked_question const& opened, answer answer) {
        if (answer.all == verdict::withdrawn || !answer.by_call.empty()) co_return answer;
        base::retry_policy const tries{.limit = 5, .delay = 1s, .timeout = 10s};
        auto look = [this, id = opened.id] { return decided_calls(id); };
        auto const decided = co_await steps_.try_step(name_ + "-decided", tries, look);
        if (!decided) {
            answer.all = verdict::withdrawn;
            co_return answer;
        }
        for (auto const& [call, state] : decided->as_object())
            answer.by_call.emplace(call, verdict_from_string(state.as_string()).value());
        co_return answer;
    }

    base::awaitable<queue::step_value> decided_calls(std::string question) {
        auto const found = co_await storage::decided_calls(services_.reads, question, 10s);
        if (!found) co_return found.error();
        json::object states;
        for (auto const& [call, state] : *found) states[call] = state;
        co_return json::value(std::move(states));
    }

    base::awaitable<void> show_all(std::vector<proposed_call> const& calls, int look) {
        if (!at_.is_complete())
            co_return co_await approvers_.show_whole(whole_text(fitting(calls)), look);
        reply whole;
        whole.name = fmt::format("{}-whole{}", name_, look + 1);
        whole.to = at_;
        message_content content;
        content.text = whole_text(fitting(calls));
        whole.parts = services_.out.split(at_, std::move(content));
        if (!is_planned(steps_, whole)) {
            queue::commit_with with;
            with.effects = intents_of(whole);
            (void)co_await steps_.commit(std::move(with));
        }
        (void)co_await deliver(steps_, services_.out, whole);
    }

    // What was approved and has begun is not withdrawn because the tool changes afterwards; what has
    // not, is: also where the verdict stands in the record already.
    base::awaitable<decisions> record_decisions(
        asked_question const& opened,
        std::vector<proposed_call> const& calls,
        json::object const& digests,
        answer const& answer
    ) {
        auto const name = name_ + "-verdicts";
        bool const settled = steps_.recorded(name);
        decisions found{opened.id, {}};
        for (auto const& call : calls) found.verdicts.emplace(call.step, answer.of(key_of(call)));
        if (!settled) settle(opened, answer);
        auto const recorded = co_await steps_.record_value(name, to_json(found));
        auto decided = decisions_from(opened.id, recorded.value());
        for (auto const& call : calls) {
            // A call may pass the check of this build alone, and was not decided by another.
            auto& of_call =
                decided.verdicts.try_emplace(call.step, verdict::withdrawn).first->second;
            bool const same =
                call.tool && digests.at(call.step) == json::value(todays_digest(call));
            if (of_call != verdict::approved || call.has_begun || same) continue;
            of_call = verdict::withdrawn;
            steps_.add(storage::withdraw_approval(steps_.job().id, opened.id, key_of(call)));
        }
        co_return decided;
    }

    void settle(asked_question const& opened, answer const& answer) {
        storage::question_end end;
        end.job = steps_.job().id;
        end.question = opened.id;
        end.state = std::string(to_string(answer.all));
        end.by = answer.by;
        end.via = answer.via;
        end.overrules = answer.all == verdict::withdrawn && answer.by_call.empty();
        if (at_.is_complete() && !answer.pressed.empty() && answer.by)
            flow::keep_press(run_, *answer.by, answer.name, answer.pressed, places_.press);
        steps_.add(storage::end_question(end));
        steps_.add(close(opened));
    }

    // A line for all, or one for each, numbered as in the question.
    static std::string outcome(
        std::vector<proposed_call> const& calls,
        decisions const& decided,
        std::string const& decider
    ) {
        auto const first = decided.verdicts.at(calls.front().step);
        bool const alike = std::ranges::all_of(decided.verdicts, [&](auto const& of_call) {
            return of_call.second == first;
        });
        if (alike) return outcome_text(first, decider);
        std::string text;
        for (std::size_t i = 0; i < calls.size(); ++i)
            text += fmt::format(
                "{}{}. {}",
                i == 0 ? "" : "\n",
                i + 1,
                outcome_text(decided.verdicts.at(calls[i].step), decider)
            );
        return text;
    }

    std::string key_of(proposed_call const& call) const { return steps_.prefix() + call.step; }
    std::string todays_digest(proposed_call const& call) const {
        return digest_of(call, asked_.user, steps_.job());
    }

    flow::node_run& run_;
    queue::workflow& steps_;
    flow::node_services const& services_;
    std::string name_;
    requester asked_;
    approver_messages approvers_;
    flow::asked_places places_;
    std::string preface_;
    address at_;
    bool silent_; // as execution_input::silent
};

} // namespace

base::awaitable<decisions> ask_about(
    flow::node_run& run,
    std::string name,
    std::vector<proposed_call> calls,
    requester requester,
    flow::asked_places places,
    std::string preface
) {
    question_run asking(run, std::move(name), requester, places, std::move(preface));
    co_return co_await asking.ask(std::move(calls));
}

} // namespace postrider::agent::approvals
