#include "tests/unit/agent/language/request_text.hpp"

#include <fmt/format.h>

namespace postrider::agent::language {

std::string to_text(task_reference const& reference) {
    using enum task_reference::kind;
    switch (reference.by) {
    case none:
        return "";
    case id:
        return fmt::format("#{}", reference.number);
    case position:
        return fmt::format("place {}", reference.number);
    case from_end:
        return fmt::format("place -{}", reference.number);
    case mentioned:
        return "that";
    case title:
        return reference.exact ? "\"" + reference.title + "\"" : "'" + reference.title + "'";
    case all:
        return "all";
    }
    return "?";
}

std::string to_text(day_span const& days) {
    auto const text = [](std::optional<std::chrono::local_days> const& day) {
        if (!day) return std::string();
        std::chrono::year_month_day const date(*day);
        return fmt::format("{:02}-{:02}", unsigned(date.month()), unsigned(date.day()));
    };
    return text(days.from) + ".." + text(days.before);
}

// "+2d", "-1m", "+1d 2h"
std::string to_text(due_shift const& shift) {
    auto const seconds = shift.length.count();
    std::string text;
    if (shift.months != 0) text += fmt::format("{:+}m", shift.months);
    if (seconds % 86400 != 0) return text + fmt::format("{:+}s", seconds);
    return seconds == 0 ? text : text + fmt::format("{:+}d", seconds / 86400);
}

std::string to_text(request const& understood, base::time_zone const& zone) {
    std::string text;
    for (auto const& intent : understood.intents) {
        std::string inside = to_text(intent.task);
        for (auto const& verb : intent.task.verbs) inside += '~' + verb;
        auto const add = [&](std::string_view part) {
            if (!part.empty()) inside += (inside.empty() ? "" : " ") + std::string(part);
        };
        if (renames(intent)) add("to");
        add(intent.title);
        if (intent.due)
            add("@" + (intent.due->whole_day ? base::to_iso8601(intent.due->at, zone).substr(0, 10)
                                             : base::to_iso8601(intent.due->at, zone)));
        if (intent.shift) add(to_text(*intent.shift));
        if (intent.due_passed) add("passed");
        if (intent.due_unread) add("unread");
        if (intent.recurring) add("recurring");
        if (intent.urgency) add(fmt::format("!{}", to_string(*intent.urgency)));
        if (intent.filter != list_filter::all) add(to_string(intent.filter));
        if (intent.days) add(to_text(*intent.days));
        if (!intent.unread.empty()) add("? " + intent.unread);
        if (!intent.search.empty()) add("/" + intent.search + "/");
        if (intent.confirmed) add("confirmed");
        if (intent.unless_listed) add("unless listed");
        text +=
            (text.empty() ? "" : " ") + std::string(to_string(intent.action)) + "(" + inside + ")";
    }
    return text;
}

base::sys_time sunday_morning() {
    return *base::from_iso8601("2026-11-22T09:00:00Z");
}

base::time_zone berlin() {
    return base::find_time_zone("Europe/Berlin").value();
}

std::string understood(std::string_view message) {
    static auto const zone = berlin();
    return to_text(understand(message, sunday_morning(), zone), zone);
}

} // namespace postrider::agent::language
