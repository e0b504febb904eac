#include "agent/flow/run/command_lookup.hpp"

#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/run/knowledge_command.hpp"
#include "agent/flow/run/settings_change.hpp"
#include "agent/flow/run/usage_text.hpp"
#include "agent/language/lexicon.hpp"
#include "agent/language/notices.hpp"
#include "agent/recall/store.hpp"
#include "base/json/json.hpp"
#include "base/time_zone.hpp"
#include "base/utf8.hpp"
#include "storage/stores/approvals.hpp"
#include "storage/stores/persons.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::chrono::seconds lookup_deadline{5};
constexpr int most_approvals = 20;
constexpr std::size_t longest_listed_call = 300; // bytes

json::value text_alone(std::string text) {
    return json::object{{"text", std::move(text)}};
}

std::string zone_of_bot(execution_input const& input, node_services const& services) {
    auto const& timezone_of = services.timezone_of;
    return timezone_of ? timezone_of(input.heard->from.bot) : std::string();
}

base::awaitable<queue::step_value> look_up_usage(
    queue::job const& job, execution_input const& input, node_services const& services
) {
    std::vector<storage::budget> budgets;
    if (services.budgets) budgets = budgets_of(*services.budgets, input);
    auto const usage = co_await storage::read_own_usage(
        services.reads,
        input.chat_lane.value_or(job.lane),
        input.heard->user,
        std::move(budgets),
        lookup_deadline
    );
    if (!usage) co_return usage.error();
    auto const language = co_await language_of_answer(input, job, services);
    co_return text_alone(usage_text(*usage, language));
}

// A group hears of its own alone.
storage::approval_place approvals_for(execution_input const& input, node_services const& services) {
    auto const& heard = *input.heard;
    storage::approval_place place{.requester = heard.user};
    if (base::raw(heard.from.chat) < 0) place.chat = heard.from.chat;
    bool const is_owner = services.is_owner && services.is_owner(heard.from.bot, heard.user);
    if (is_owner) place.of_bot = heard.from.bot;
    return place;
}

std::string approvals_text(
    std::vector<storage::waiting_approval> const& approvals,
    std::string_view language,
    base::time_zone const& zone
) {
    auto const& words = language::notices_in(language);
    if (approvals.empty()) return words.no_approvals;
    auto text = words.approvals_wait + "\n";
    for (auto const& approval : approvals) {
        auto const call =
            approval.tool + " " + base::shortened(approval.arguments, longest_listed_call);
        auto const until = language::due_text(
            base::to_iso8601(std::chrono::floor<std::chrono::minutes>(approval.expires_at), zone),
            language::replies_in(language)
        );
        text += "\n• " + language::in_words(words.approval_line, call, until);
    }
    return text + "\n\n" + words.how_to_approve;
}

base::awaitable<queue::step_value> look_up_approvals(
    queue::job const& job, execution_input const& input, node_services const& services
) {
    auto const approvals = co_await storage::read_waiting_approvals(
        services.reads, approvals_for(input, services), most_approvals, lookup_deadline
    );
    if (!approvals) co_return approvals.error();
    auto const person =
        co_await storage::read_person(services.reads, input.heard->user, lookup_deadline);
    if (!person) co_return person.error();
    auto const name = person->timezone.empty() ? zone_of_bot(input, services) : person->timezone;
    auto zone = base::find_time_zone(name.empty() ? "UTC" : name);
    if (!zone) zone = base::find_time_zone("UTC");
    if (!zone) co_return zone.error();
    auto const language = co_await language_of_answer(input, job, services);
    co_return text_alone(approvals_text(*approvals, language, *zone));
}

base::awaitable<queue::step_value> look_up_settings(
    queue::job const& job, execution_input const& input, node_services const& services
) {
    auto const user = input.heard->user;
    if (user == user_id{})
        co_return base::error(base::errc::refused, "nobody is known whose settings these are");
    auto const person = co_await storage::read_person(services.reads, user, lookup_deadline);
    if (!person) co_return person.error();
    auto const change = change_of(*person, input.argument);
    auto const* chosen = language::find_lexicon(change.settings.language);
    std::string language;
    if (chosen)
        language = chosen->code;
    else
        language = co_await language_of_answer(input, job, services);
    json::object value{
        {"text",
         settings_text(change, language, zone_of_bot(input, services), services.clock.now())}};
    if (change.has_timezone) value["timezone"] = change.settings.timezone;
    if (change.has_language) value["language"] = change.settings.language;
    co_return json::value(std::move(value));
}

// The newest, each in a line.
base::awaitable<queue::step_value> look_up_memories(
    queue::job const& job, execution_input const& input, node_services const& services
) {
    constexpr int most_shown = 30;
    auto const& heard = *input.heard;
    auto const& words = language::notices_in(co_await language_of_answer(input, job, services));
    recall::recall_question newest;
    auto const owner = recall::owner_in(heard.from.bot, heard.from.chat, heard.user);
    if (!owner) co_return text_alone(words.no_memories);
    newest.owner = *owner;
    newest.most = most_shown;
    auto const memories =
        co_await recall::recall_memories(services.reads, std::move(newest), lookup_deadline);
    if (!memories) co_return memories.error();
    if (memories->empty()) co_return text_alone(words.no_memories);
    json::array said_by;
    for (auto const& memory : *memories)
        for (auto& person : recall::said_by_json(memory)) said_by.push_back(std::move(person));
    json::object listed{{"text", words.my_memories + "\n\n" + recall::lines_of(*memories)}};
    listed["said_by"] = std::move(said_by); // postrider erase looks for it
    co_return json::value(std::move(listed));
}

} // namespace

std::string_view step_of(lookup subject) noexcept {
    switch (subject) {
    case lookup::usage:
        return "usage";
    case lookup::approvals:
        return "approvals";
    case lookup::settings:
        return "settings";
    case lookup::memories:
        return "memory";
    case lookup::knowledge:
        return "knowledge";
    }
    return {};
}

base::awaitable<queue::step_value> look_up(
    lookup subject,
    queue::job const& job,
    execution_input const& input,
    node_services const& services
) {
    switch (subject) {
    case lookup::usage:
        return look_up_usage(job, input, services);
    case lookup::approvals:
        return look_up_approvals(job, input, services);
    case lookup::memories:
        return look_up_memories(job, input, services);
    case lookup::knowledge:
        return take_documents(job, input, services);
    case lookup::settings:
        break;
    }
    return look_up_settings(job, input, services);
}

std::string looked_up_text(json::value const& value) {
    if (auto const* text = value.if_string()) return std::string(*text);
    return base::json_reader{value}["text"].string_or("");
}

std::vector<storage::write> changes_in(json::value const& value, user_id user) {
    std::vector<storage::write> rows;
    base::json_reader const members{value};
    if (auto const zone = members["timezone"])
        rows.push_back(storage::set_timezone(user, zone.string()));
    if (auto const language = members["language"])
        rows.push_back(storage::set_language(user, language.string()));
    for (auto& row : rows_of_documents(value)) rows.push_back(std::move(row));
    return rows;
}

// Of a stop word it is known.
base::awaitable<std::string> language_of_answer(
    execution_input const& input, queue::job const& job, node_services const& services
) {
    if (!input.language.empty()) co_return input.language;
    auto const lane = input.chat_lane.value_or(job.lane);
    auto const code = co_await language_in(services.reads, lane, job.id, *input.heard);
    co_return std::string(code);
}

} // namespace postrider::agent::flow
