#include "agent/flow/approvals/approve.hpp"

#include "agent/flow/approvals/answer.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/language/notices.hpp"
#include "base/json/json.hpp"
#include "base/log.hpp"
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

// Of a flow that watches a group, whoever wrote last: nobody there asked for anything.
bool watches_group(flow::execution_input const& input) {
    return input.heard && !input.heard->seen.empty();
}

// Of a chat of a business account: the customer writes to a person, and knows of no bot.
bool serves_customer(flow::execution_input const& input) {
    return input.heard && is_business(input.heard->from.chat);
}

// Nowhere: the question stands among the approvals alone, and those who decide are asked in private.
address place_of_turn(flow::execution_input const& input) {
    bool const is_apart = watches_group(input) || serves_customer(input);
    return input.answered() && !is_apart ? input.answered()->from : address{};
}

// Nobody: a member of a watched group has no word in what its agent may do, and neither has a customer.
requester person_of_turn(flow::execution_input const& input, requester asked) {
    if (watches_group(input) || serves_customer(input)) asked.user = {};
    return asked;
}

std::vector<user_id> approvers_of_node(flow::node_run const& run) {
    json::value const parameters = run.node().parameters;
    std::vector<user_id> users;
    for (auto const& user : base::json_reader{parameters}["approvers"].items_or_none())
        users.push_back(user_id{user.int64_or(0)});
    return users;
}

// Of the agent's node, or the configuration's.
std::vector<address> approvers_of(flow::node_run const& run) {
    auto const& services = run.services();
    auto const users = approvers_of_node(run);
    if (users.empty() || !services.approver_chats) return services.approvers;
    return services.approver_chats(users);
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
          asked_(person_of_turn(run.started_by(), asked)),
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
        language_ = calls.front().language;
        auto about = short_text(fitting(calls));
        about.text.insert(0, preface_);
        std::vector<address> approvers;
        if (!at_.is_complete()) {
            about.text = about.text.substr(0, about.text.rfind("\n\n")) + "\n\n" + words().press;
            if (!silent_) approvers = co_await choose_approvers();
        }
        auto const asked_about = about.text.substr(0, about.text.rfind("\n\n"));
        auto draft = question_about(calls, about);
        draft.language = language_;
        draft.withdrawn = asked_about + "\n\n" + words().withdrawn;
        draft.copies = std::move(approvers);
        flow::node_question question(run_, steps_, std::move(draft), places_);
        auto const opened = co_await question.open();
        if (!opened) co_return refused(calls);
        bool const is_first = !steps_.recorded(name_ + "-until"); // as agent::send() does
        auto const sent = co_await question.send();
        if (is_first && !at_.is_complete()) tell_of_copies(question.asked());
        answer answer; // a question that cannot be brought to anybody is withdrawn
        if (sent) answer = co_await hear(question, calls);
        auto decided = co_await record_decisions(question, calls, digests, answer);
        co_await question.show(asked_about, outcome(calls, decided, answer.name));
        co_return decided;
    }

    // The people who are asked where the turn has no chat: settled for all runs of the job.
    base::awaitable<std::vector<address>> choose_approvers() {
        json::array places;
        for (auto const& place : approvers_of(run_)) places.push_back(agent::to_json(place));
        auto const recorded =
            co_await steps_.record_value(name_ + "-approvers", json::value(std::move(places)));
        std::vector<address> approvers;
        for (auto const& place : recorded->as_array())
            approvers.push_back(address_from(base::json_reader{place}));
        co_return approvers;
    }

    void tell_of_copies(asked_question const& asked) const {
        if (steps_.is_read_only()) return;
        auto const reached = std::ranges::count_if(asked.copies, &sent_question::was_reached);
        auto const job = steps_.job().id;
        if (reached == 0)
            base::log::warn("approval.asked", {{"job", job}, {"question", asked.id}, {"told", 0}});
        else
            base::log::info(
                "approval.asked", {{"job", job}, {"question", asked.id}, {"told", reached}}
            );
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

    agent::question question_about(
        std::vector<proposed_call> const& calls, request_text const& about
    ) {
        agent::question draft;
        draft.name = name_;
        draft.to = at_;
        draft.text = about.text;
        draft.choices = {
            {{words().approve, std::string(approve_choice)},
             {words().reject, std::string(reject_choice)}}};
        if (about.shortened)
            draft.choices.push_back({{words().show_all, std::string(show_all_choice), false}});
        if (asked_.user != user_id{}) draft.only = asked_.user;
        if (at_.is_complete()) draft.people = approvers_of_node(run_);
        draft.timeout = services_.approval_timeout;
        draft.with_it = [this, &calls](std::string_view id) { return rows(calls, id); };
        return draft;
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
        flow::node_question const& question, std::vector<proposed_call> const& calls
    ) {
        auto const& opened = question.asked();
        deciders const deciders{
            services_.out, at_, asked_, services_.is_owner, language_, opened.people};
        for (int look = 0;; ++look) {
            auto event = press_of(opened, services_.clock);
            event.answered_by = [deciders](json::value const& message) {
                return assent_in(message, deciders) != assent::neither;
            };
            event.concerned_by = [deciders](json::value const& message) {
                return concerns(message, deciders);
            };
            auto const ended =
                co_await steps_.wait_for_event(press_step(opened, look), std::move(event));
            auto answer = read_answer(ended, deciders);
            if (!answer.wants_all_text) co_return co_await with_decided(opened, std::move(answer));
            if (look < most_looks) co_await show_all(question, calls, look);
            if (look + 1 != most_looks) continue;
            auto shorter = question.question();
            shorter.choices.pop_back();
            co_await show_again(steps_, services_.out, opened, shorter);
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
        auto const decided = co_await storage::decided_calls(services_.reads, question, 10s);
        if (!decided) co_return decided.error();
        json::object states;
        for (auto const& [call, state] : *decided) states[call] = state;
        co_return json::value(std::move(states));
    }

    // At an odd place: the even ones are of what models read.
    base::awaitable<void> show_all(
        flow::node_question const& question, std::vector<proposed_call> const& calls, int look
    ) {
        auto const part = fmt::format("whole{}", look + 1);
        auto const place = places_.question + 1 + std::int64_t{2} * look;
        co_await say_more(
            steps_, question.services(), question.asked(), part, whole_text(fitting(calls)), place
        );
    }

    // What was approved and has begun is not withdrawn because the tool changes afterwards; what has
    // not, is: also where the verdict stands in the record already.
    base::awaitable<decisions> record_decisions(
        flow::node_question& question,
        std::vector<proposed_call> const& calls,
        json::object const& digests,
        answer const& answer
    ) {
        auto const& opened = question.asked();
        auto const name = name_ + "-verdicts";
        bool const settled = steps_.recorded(name);
        decisions answered{opened.id, {}};
        for (auto const& call : calls)
            answered.verdicts.emplace(call.step, answer.of(key_of(call)));
        if (!settled) settle(question, answer);
        auto const recorded = co_await steps_.record_value(name, to_json(answered));
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

    void settle(flow::node_question& question, answer const& answer) {
        storage::question_end end;
        end.job = steps_.job().id;
        end.question = question.asked().id;
        end.state = std::string(to_string(answer.all));
        end.by = answer.by;
        end.via = answer.via;
        end.overrules = answer.all == verdict::withdrawn && answer.by_call.empty();
        steps_.add(storage::end_question(end));
        question.close(answer.pressed);
    }

    // A line for all, or one for each, numbered as in the question.
    std::string outcome(
        std::vector<proposed_call> const& calls,
        decisions const& decided,
        std::string const& decider
    ) const {
        auto const first = decided.verdicts.at(calls.front().step);
        bool const alike = std::ranges::all_of(decided.verdicts, [&](auto const& of_call) {
            return of_call.second == first;
        });
        if (alike) return outcome_text(first, decider, language_);
        std::string text;
        for (std::size_t i = 0; i < calls.size(); ++i)
            text += fmt::format(
                "{}{}. {}",
                i == 0 ? "" : "\n",
                i + 1,
                outcome_text(decided.verdicts.at(calls[i].step), decider, language_)
            );
        return text;
    }

    language::notices const& words() const { return language::notices_in(language_); }
    std::string key_of(proposed_call const& call) const { return steps_.prefix() + call.step; }
    std::string todays_digest(proposed_call const& call) const {
        return digest_of(call, asked_.user, steps_.job());
    }

    flow::node_run& run_;
    queue::workflow& steps_;
    flow::node_services const& services_;
    std::string name_;
    requester asked_;
    flow::asked_places places_;
    std::string preface_;
    std::string_view language_ = {}; // of the calls
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
