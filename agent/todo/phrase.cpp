#include "agent/todo/phrase.hpp"

#include "agent/expression/unicode.hpp"
#include "base/ids.hpp"

#include <fmt/format.h>

#include <chrono>

namespace postrider::agent::todo::phrase {

namespace {

using reason = no_task::reason;

// A whole list is one message of a chat.
constexpr std::size_t most_listed = 50;

// Of a reference that a person typed, when it is said back.
constexpr std::size_t most_quoted_bytes = 80;

constexpr std::string_view examples = R"(You can say, for example:
• add buy milk
• remind me to call Ann tomorrow at 9
• what's on my list?
• show task 2
• rename task 2 to buy oat milk
• done with the milk
• delete task 3)";

constexpr std::string_view month_names[] = {
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December"};

constexpr std::string_view weekday_names[] = {
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};

std::string to_text(due_time const& due, base::time_zone const& zone) {
    using namespace std::chrono;
    auto const wall = zone.to_local(due.at);
    auto const day = floor<days>(wall);
    year_month_day const date(day);
    auto text = fmt::format(
        "{} {} {} {}",
        weekday_names[weekday(day).c_encoding()],
        unsigned(date.day()),
        month_names[unsigned(date.month()) - 1],
        int(date.year())
    );
    auto const minutes = floor<std::chrono::minutes>(wall - day).count();
    if (!due.whole_day) text += fmt::format(" at {:02}:{:02}", minutes / 60, minutes % 60);
    return text;
}

std::string number_of(task const& shown) {
    return base::to_string(shown.id);
}

std::string line_of(task const& shown, base::time_zone const& zone) {
    auto line = fmt::format("{}. {}", number_of(shown), shown.title);
    if (shown.urgency == priority::high) line += " (high priority)";
    if (shown.urgency == priority::low) line += " (low priority)";
    if (shown.due) line += ", due " + to_text(*shown.due, zone);
    if (shown.done) line += " ✓";
    return line;
}

std::string_view heading(intent const& request) {
    switch (request.filter) {
    case list_filter::all:
        return "Your tasks";
    case list_filter::open:
        return "Your open tasks";
    case list_filter::completed:
        return "Your completed tasks";
    case list_filter::overdue:
        return "Your overdue tasks";
    case list_filter::today:
        return "Your tasks due today";
    case list_filter::tomorrow:
        return "Your tasks due tomorrow";
    case list_filter::this_week:
        return "Your tasks due this week";
    case list_filter::high:
        return "Your tasks of high priority";
    }
    return "Your tasks";
}

std::string in_quotes(std::string_view text) {
    return "\"" + expressions::shortened(text, most_quoted_bytes) + "\"";
}

} // namespace

std::string created(task const& done, base::time_zone const& zone) {
    auto text = "Created task: " + done.title;
    if (done.due) text += "\nDue " + to_text(*done.due, zone) + ".";
    return text;
}

std::string completed(task const& done) {
    return "Completed task: " + done.title;
}

std::string renamed(task const& done) {
    return "Renamed task " + number_of(done) + " to: " + done.title;
}

std::string deleted(task const& done) {
    return "Deleted task: " + done.title;
}

std::string due_passed() {
    return "That time has passed already, so the task has no due date.";
}

std::string recurring() {
    return "Tasks do not repeat, so it has no due date; the title keeps what you said.";
}

std::string confirm_rename(task const& target, std::string_view title) {
    return fmt::format(
        "Are you sure you want to rename task {}? (yes/no)\n{} → {}",
        number_of(target),
        target.title,
        title
    );
}

std::string confirm_delete(task const& target) {
    return fmt::format(
        "Are you sure you want to delete task {}? (yes/no)\n{}", number_of(target), target.title
    );
}

std::string ask_which(std::span<task const> candidates) {
    std::string text = candidates.size() == 1 ? "Do you mean this task? Say its number."
                                              : "Which task do you mean? Say its number.";
    for (auto const& candidate : candidates)
        text += fmt::format("\n{}. {}", number_of(candidate), candidate.title);
    return text;
}

std::string title_missing() {
    return "What should the task be called? Say, for example: add buy milk.";
}

std::string new_title_missing(task const& target) {
    auto const number = number_of(target);
    return fmt::format(
        "What should task {} be called? Say: rename task {} to, and the new title.", number, number
    );
}

std::string list(std::span<task const> tasks, intent const& request, base::time_zone const& zone) {
    auto text = std::string(heading(request));
    if (!request.search.empty()) text += " with " + in_quotes(request.search);
    if (tasks.empty()) return text + ": none.";
    text += ":";
    for (auto const& shown : tasks.first(std::min(tasks.size(), most_listed)))
        text += "\n" + line_of(shown, zone);
    if (tasks.size() > most_listed)
        text += fmt::format("\n… and {} more. Search to see them.", tasks.size() - most_listed);
    return text;
}

std::string details(task const& shown, base::time_zone const& zone) {
    auto text = fmt::format("Task {}: {}", number_of(shown), shown.title);
    text += fmt::format("\nStatus: {}", shown.done ? "completed" : "open");
    text += fmt::format("\nPriority: {}", to_string(shown.urgency));
    if (shown.due) text += "\nDue: " + to_text(*shown.due, zone);
    return text;
}

std::string not_found(no_task const& missing, task_reference const& reference) {
    switch (missing.because) {
    case reason::not_said:
        return "Which task? Say its number, or ask: what's on my list?";
    case reason::unknown_id:
        return fmt::format("There is no task {}.", reference.number);
    case reason::not_in_list:
        return "The list that I showed last has no such place.";
    case reason::no_list:
        return "I have not shown a list yet. Ask: what's on my list?";
    case reason::nothing_mentioned:
        return "I do not know which task you mean. Say its number.";
    case reason::no_title:
        return fmt::format("There is no task like {}.", in_quotes(reference.title));
    case reason::all_of_them:
        return "I do that for single tasks only. Say their numbers, for example: delete 2 and 3.";
    }
    return {};
}

std::string unknown(bool doubtful) {
    return fmt::format(
        "{}, so I have changed nothing. {}",
        doubtful ? "I am not sure what you want" : "I did not understand that",
        examples
    );
}

std::string cancelled() {
    return "All right, I have changed nothing.";
}

std::string tool_failed(std::string_view explanation) {
    return fmt::format("That did not work: {}", explanation);
}

std::string help() {
    return fmt::format("I keep your list of tasks. {}", examples);
}

std::string greeting() {
    return fmt::format("Hello! I keep your list of tasks. {}", examples);
}

std::string welcome() {
    return "You are welcome.";
}

} // namespace postrider::agent::todo::phrase
