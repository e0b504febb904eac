#include "agent/flow/approvals/answer.hpp"

#include "agent/flow/execution_input.hpp"
#include "agent/language/notices.hpp"
#include "base/json/json.hpp"

#include <algorithm>

namespace postrider::agent::approvals {

namespace json = boost::json;

namespace {

struct clear_answer {
    assent said = assent::neither;
    user_id by{};
};

bool may_decide(deciders const& deciders, user_id user) {
    auto const& approvers = deciders.approvers;
    if (!approvers.empty()) return std::ranges::count(approvers, user) > 0;
    auto const& requester = deciders.requester;
    return user == requester.user || (deciders.is_owner && deciders.is_owner(requester.bot, user));
}

clear_answer clear_answer_in(json::value const& message, deciders const& deciders) {
    base::json_reader const from{message};
    auto const* started = from["input"].raw();
    if (!started) return {};
    auto const input = flow::execution_input_from(*started);
    if (!input || !input->heard) return {}; // nobody said it
    auto const& heard = *input->heard;
    if (!heard.addressed || !same_place(deciders.out, heard.from, deciders.at)) return {};
    if (!may_decide(deciders, heard.user)) return {};
    return {assent_of(from["text"].string_or("")), heard.user};
}

answer decided_call_by_call(json::object const& calls) {
    answer answer;
    for (auto const& [call, decided] : calls) {
        auto const state = verdict_from_string(base::json_reader{decided}["state"].string());
        answer.by_call.emplace(call, state.value_or(verdict::withdrawn));
    }
    return answer;
}

answer pressed(press button_press, requester const& asked) {
    answer answer;
    auto const choice = button_press.choice;
    answer.wants_all_text = choice == show_all_choice;
    if (choice == approve_choice) answer.all = verdict::approved;
    if (choice == reject_choice) answer.all = verdict::rejected;
    answer.by = button_press.user;
    if (button_press.user != asked.user) answer.name = button_press.name;
    answer.via = "button";
    if (choice == approve_choice || choice == reject_choice)
        answer.pressed = std::move(button_press);
    return answer;
}

} // namespace

verdict answer::of(std::string_view call) const {
    auto const decided = by_call.find(call);
    return decided == by_call.end() ? all : decided->second;
}

assent assent_in(json::value const& message, deciders const& deciders) {
    return clear_answer_in(message, deciders).said;
}

bool concerns(json::value const& message, deciders const& deciders) {
    auto const asked = deciders.requester.user;
    auto const* started = base::json_reader{message}["input"].raw();
    if (asked == user_id{} || !started) return true;
    auto const input = flow::execution_input_from(*started);
    if (!input || !input->heard || input->heard->user == asked) return true;
    return assent_in(message, deciders) != assent::neither;
}

answer read_answer(queue::step_value const& ended, deciders const& deciders) {
    answer answer;
    if (!ended) {
        if (ended.error() == base::errc::timeout) answer.all = verdict::expired;
        return answer;
    }
    base::json_reader const from{*ended};
    if (auto const* calls = from["calls"].raw(); calls && calls->is_object())
        return decided_call_by_call(calls->get_object());
    if (auto press = press_from(*ended)) return pressed(std::move(*press), deciders.requester);
    auto const words = clear_answer_in(*ended, deciders);
    answer.all = words.said == assent::yes ? verdict::approved : verdict::rejected;
    answer.by = words.by;
    if (words.by != deciders.requester.user)
        answer.name = language::notices_in(deciders.language).an_owner;
    answer.via = "text";
    return answer;
}

} // namespace postrider::agent::approvals
