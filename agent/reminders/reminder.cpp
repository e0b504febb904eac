#include "agent/reminders/reminder.hpp"

#include "agent/language/notices.hpp"
#include "agent/language/reading/understand.hpp"
#include "agent/speech/speech.hpp"
#include "base/json/json.hpp"
#include "base/time_zone.hpp"
#include "storage/stores/reminders.hpp"

namespace postrider::agent {

namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

// Even, as of all that models read (flow/run/message_place.hpp).
constexpr std::int64_t position = 2;

constexpr auto late_after = 5min;

struct reminder {
    std::string id;
    address to = {};
    lane_id lane{}; // of the conversation
    std::string text;
    std::string timezone;
    std::optional<base::sys_time> due; // nothing: somebody ran it by hand
};

base::result<reminder> reminder_from(json::value const& input) {
    base::json_reader const from{input};
    reminder due;
    due.id = from["reminder"].string();
    due.to = address_from(from);
    due.lane = lane_id{from["lane"].int64()};
    due.text = from["text"].string();
    due.timezone = from["timezone"].string_or("UTC");
    if (auto const at = from["data"]["at"]) due.due = base::from_iso8601(at.string());
    if (from.failed()) return from.failure();
    return due;
}

std::string words_in_time(reminder const& due) {
    return "⏰ " + due.text;
}

std::string words_of(reminder const& due, base::sys_time now) {
    auto words = words_in_time(due);
    if (!due.due || now < *due.due + late_after) return words;
    auto const zone = base::find_time_zone(due.timezone);
    auto const time = zone ? base::to_iso8601(*due.due, *zone) : base::to_iso8601(*due.due);
    // The person's, in which the model wrote it.
    auto const language = language::language_of(due.text);
    auto const moment = language::due_text(time, language::replies_in(language));
    auto const& notices = language::notices_in(language);
    return words + "\n\n" + language::in_words(notices.reminded_late, moment);
}

base::awaitable<queue::outcome> speak(
    queue::workflow steps, messenger& out, base::clock& clock, base::random_source& random
) {
    auto const due = reminder_from(steps.job().input);
    if (!due) co_return queue::outcome::failed(due.error());
    leave_to_a_node_serving(out, due->to);
    json::value words(words_of(*due, clock.now()));
    auto const recorded = co_await steps.record_value("words", std::move(words));
    std::string const text(recorded->as_string());

    speech reminding;
    reminding.to = due->to;
    reminding.content.text = text;
    reminding.row = row_at(position, due->lane);
    auto const delivered = co_await say(steps, {out, random}, std::move(reminding));
    if (delivered.state == "failed") co_return queue::outcome::failed(delivered.error);
    auto outcome = queue::outcome::completed({{"delivery", delivered.state}});
    if (text != words_in_time(*due)) outcome.degraded = degradation_of(degraded_by::late);
    if (delivered.state != "sent") outcome.degraded = degradation_of(delivered);
    outcome.writes.push_back(storage::end_reminder(due->id));
    co_return outcome;
}

// The dead letter has its text, so that it can be sent by hand.
base::awaitable<std::vector<storage::write>> rows_of_failure(queue::job const& job) {
    std::vector<storage::write> rows;
    auto const due = reminder_from(job.input);
    if (!due) co_return rows;
    rows.push_back(storage::close_deliveries(due->lane, job.id));
    rows.push_back(storage::end_reminder(due->id));
    co_return rows;
}

} // namespace

json::object reminder_input(
    std::string_view id, address const& chat, std::string_view text, std::string_view timezone
) {
    auto input = to_json(chat);
    input["reminder"] = id;
    input["text"] = text;
    input["timezone"] = timezone;
    input["data"] = json::object{}; // where the scheduler puts the time
    return input;
}

queue::job_kind make_reminders(messenger& out, base::clock& clock, base::random_source& random) {
    auto run = [&out, &clock, &random](queue::workflow& steps) {
        return speak(steps, out, clock, random);
    };
    auto failed = [](queue::job const& job, queue::outcome const& /*ended*/) {
        return rows_of_failure(job);
    };
    return {.name = std::string(storage::reminder_kind), .run = run, .failed = failed};
}

} // namespace postrider::agent
