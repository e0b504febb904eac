#include "agent/approvals/approve.hpp"

#include "agent/assent.hpp"
#include "agent/flow/services.hpp"
#include "agent/flow/start/execution_input.hpp"
#include "agent/question.hpp"
#include "base/json.hpp"
#include "storage/stores/approvals.hpp"
#include "storage/stores/questions.hpp"

#include <fmt/format.h>

namespace postrider::agent::approvals {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;

constexpr int most_looks = 5; // at the whole text, while the question is open

// How the wait ended, for all calls alike; or call by call, decided over the API.
struct heard_answer {
    verdict all = verdict::withdrawn;
    std::map<std::string, verdict> by_call = {};
    std::optional<user_id> by = {};
    std::string name = {}; // of who decided, as shown
    std::string via = {};
    bool wants_all_text = false;
};

// The person whose message it is, and whether it is a clear answer of somebody who may give one.
assent assent_in(
    json::value const& message, requester const& asked, flow::node_services const& services
) {
    base::json_reader const from{message};
    auto const* started = from["input"].raw();
    if (!started) return assent::neither;
    auto const input = flow::execution_input_from(*started);
    if (!input) return assent::neither;
    auto const user = input->heard    ? input->heard->user
                      : input->posted ? input->posted->user
                                      : user_id{};
    bool const owner = services.is_owner && services.is_owner(asked.bot, user);
    if (user != asked.user && !owner) return assent::neither;
    return assent_of(from["text"].string_or(""));
}

bool has_high_risk(proposed_call const& call) {
    return call.tool->risk(call.tool->settings, call.arguments) == risk::high;
}

// Over the chat API the question stands among the approvals, and the next message answers it.
address place_of_turn(flow::execution_input const& by) {
    return by.answered() ? by.answered()->from : address{};
}

class question_run {
public:
    question_run(flow::node_run& run, std::string name, requester const& asked)
        : run_(run),
          steps_(run.steps()),
          services_(run.services()),
          name_(std::move(name)),
          asked_(asked) {}

    base::awaitable<verdicts> ask(std::vector<proposed_call> calls) {
        auto const digests = co_await record_digests(calls);
        if (digests.empty()) co_return verdicts{};
        std::erase_if(calls, [&](auto const& call) { return !digests.contains(call.step); });
        auto const at = place_of_turn(run_.started_by());
        auto const about = short_text(calls);
        auto question = question_at(at, about);
        question.with_it = [&](std::string_view id) { return rows(calls, id); };
        auto sent = co_await agent::ask(steps_, services_.out, services_.random, question);
        if (!sent) co_return co_await give_up(calls, sent.error());
        auto const answer = co_await hear(*sent, calls);
        settle(*sent, answer);
        if (at.is_complete() && sent->message != telegram_message_id{})
            co_await show_outcome(at, *sent, about.text, answer);
        verdicts all;
        for (auto const& call : calls) {
            auto const found = answer.by_call.find(steps_.prefix() + call.step);
            auto decided = found == answer.by_call.end() ? answer.all : found->second;
            bool const same = digests.at(call.step) == json::value(digest_of(call, asked_.user));
            if (decided == verdict::approved && !same) {
                steps_.add(storage::withdraw_approval(steps_.job().id, steps_.prefix() + call.step)
                );
                decided = verdict::withdrawn;
            }
            all.emplace(call.step, decided);
        }
        co_return all;
    }

private:
    // Of the calls that are asked about: by the record where it has them.
    base::awaitable<json::object> record_digests(std::vector<proposed_call> const& calls) {
        json::object digests;
        for (auto const& call : calls)
            if (has_high_risk(call)) digests[call.step] = digest_of(call, asked_.user);
        if (digests.empty() && !steps_.recorded(name_ + "-calls")) co_return digests;
        queue::step_value value = json::value(std::move(digests));
        auto const recorded = co_await steps_.record_value(name_ + "-calls", std::move(value));
        auto const* object = recorded ? recorded->if_object() : nullptr;
        co_return object ? *object : json::object{};
    }

    question question_at(address const& at, request_text const& about) const {
        question question;
        question.name = name_;
        question.to = at;
        question.text = about.text;
        question.choices = {{{"Approve", "approve"}, {"Reject", "reject"}}};
        if (about.shortened) question.choices.push_back({{"Show all", "all", false}});
        if (asked_.user != user_id{}) question.only = asked_.user;
        question.timeout = services_.approval_timeout;
        return question;
    }

    std::vector<storage::write> rows(
        std::vector<proposed_call> const& calls, std::string_view question
    ) {
        std::vector<storage::write> rows;
        for (auto const& call : calls)
            rows.push_back(storage::add_approval(
                {.id = base::nanoid(services_.random),
                 .job = steps_.job().id,
                 .lane = steps_.job().lane,
                 .requester = asked_.user,
                 .question = std::string(question),
                 .call = steps_.prefix() + call.step,
                 .tool = call.tool->spec.name,
                 .arguments = call.arguments,
                 .digest = digest_of(call, asked_.user),
                 .lifetime = services_.approval_timeout}
            ));
        return rows;
    }

    // A question that cannot be brought to anybody is not asked.
    base::awaitable<verdicts> give_up(std::vector<proposed_call> const& calls, base::error) {
        steps_.add(storage::withdraw_approvals(steps_.job().id));
        verdicts all;
        for (auto const& call : calls) all.emplace(call.step, verdict::withdrawn);
        co_return all;
    }

    base::awaitable<heard_answer> hear(
        asked_question const& sent, std::vector<proposed_call> const& calls
    ) {
        for (int look = 0;; ++look) {
            queue::awaited_event event;
            event.type = std::string(storage::press_event);
            event.match = sent.id;
            event.timeout = sent.timeout;
            event.answered_by = [this](json::value const& message) {
                return assent_in(message, asked_, services_) != assent::neither;
            };
            auto const name =
                look == 0 ? name_ + "-press" : fmt::format("{}-press-{}", name_, look + 1);
            auto const came = co_await steps_.wait_for_event(name, std::move(event));
            auto answer = read(came);
            if (!answer.wants_all_text) co_return answer;
            if (look < most_looks) co_await show_all(calls, look);
        }
    }

    heard_answer read(queue::step_value const& came) const {
        heard_answer answer;
        if (!came) {
            if (came.error() == base::errc::timeout) answer.all = verdict::expired;
            return answer;
        }
        base::json_reader const from{*came};
        if (auto const* calls = from["calls"].raw(); calls && calls->is_object()) {
            for (auto const& [call, decided] : calls->get_object()) {
                auto const state =
                    verdict_from_string(base::json_reader{decided}["state"].string());
                answer.by_call.emplace(call, state.value_or(verdict::withdrawn));
            }
            return answer;
        }
        if (from["choice"].raw()) {
            auto const choice = from["choice"].string();
            answer.wants_all_text = choice == "all";
            answer.all = choice == "approve" ? verdict::approved : verdict::rejected;
            answer.by = user_id{from["user"].int64_or(0)};
            answer.name = from["name"].string_or("");
            answer.via = "button";
            return answer;
        }
        bool const yes = assent_in(*came, asked_, services_) == assent::yes;
        answer.all = yes ? verdict::approved : verdict::rejected;
        answer.by = asked_.user;
        answer.via = "text";
        return answer;
    }

    base::awaitable<void> show_all(std::vector<proposed_call> const& calls, int look) {
        auto const at = place_of_turn(run_.started_by());
        reply whole;
        whole.name = fmt::format("{}-whole{}", name_, look + 1);
        whole.to = at;
        message_content content;
        content.text = whole_text(calls);
        whole.parts = services_.out.split(std::move(content));
        if (!is_planned(steps_, whole)) {
            queue::commit_with with;
            with.effects = intents_of(whole);
            (void)co_await steps_.commit(std::move(with));
        }
        (void)co_await deliver(steps_, services_.out, whole);
    }

    void settle(asked_question const& sent, heard_answer const& answer) {
        storage::question_end end;
        end.job = steps_.job().id;
        end.question = sent.id;
        end.state = std::string(to_string(answer.all));
        end.by = answer.by;
        end.via = answer.via;
        end.overrules = answer.via.empty() && answer.by_call.empty();
        steps_.add(storage::end_question(end));
        steps_.add(close(sent));
    }

    // Dead buttons go. Nothing depends on it.
    base::awaitable<void> show_outcome(
        address at, asked_question const& sent, std::string const& text, heard_answer const& answer
    ) {
        message_content content;
        auto const end = text.rfind("\n\n");
        content.text = text.substr(0, end) + "\n\n" + outcome(answer);
        base::retry_policy const tries{.limit = 2, .delay = 1s, .timeout = 30s, .total = 60s};
        auto edit = [this, at, message = sent.message, content] {
            return edited(services_.out, at, message, content);
        };
        (void)co_await steps_.try_step(name_ + "-shown", tries, edit);
    }

    static base::awaitable<queue::step_value> edited(
        messenger& out, address at, telegram_message_id message, message_content content
    ) {
        auto const done = co_await out.edit(at, message, std::move(content));
        if (!done) co_return done.error();
        co_return json::value(nullptr);
    }

    std::string outcome(heard_answer const& answer) const {
        if (answer.by_call.empty())
            return outcome_text(answer.all, answer.by == asked_.user ? "" : answer.name);
        std::string text;
        int number = 0;
        for (auto const& [call, decided] : answer.by_call) {
            ++number;
            if (!text.empty()) text += '\n';
            if (answer.by_call.size() > 1) text += fmt::format("{}. ", number);
            text += outcome_text(decided, "");
        }
        return text;
    }

    flow::node_run& run_;
    queue::workflow& steps_;
    flow::node_services const& services_;
    std::string name_;
    requester asked_;
};

} // namespace

base::awaitable<verdicts> ask_about(
    flow::node_run& run, std::string name, std::vector<proposed_call> calls, requester requester
) {
    question_run asking(run, std::move(name), requester);
    co_return co_await asking.ask(std::move(calls));
}

} // namespace postrider::agent::approvals
