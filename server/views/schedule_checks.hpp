#pragma once
// What is checked of a schedule before it is stored, whoever defines it: what could never run is refused while
// somebody looks.
#include "queue/admin/schedules.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace postrider::server {

// A mistake, and the member of the definition that it is in; "" = its words name it.
struct schedule_mistake {
    std::string_view member;
    base::error reason;
};

// The one time of a schedule, as a person writes it: "2026-12-24T18:00", "in 2h", "tomorrow 9:00". invalid: it is
// none; not_found: no such zone.
base::result<base::sys_time> schedule_time(
    std::string const& text, std::string const& timezone, base::sys_time now
);

// What is wrong with its recurrence, without the database.
std::optional<schedule_mistake> recurrence_mistake(
    queue::recurrence const& recurrence, base::sys_time now
);

// Stores it, unless its time is past, or its flow cannot start; with `only_new` also unless there is one
// of its name, which is a conflict. Throws as transaction::query() does.
std::optional<schedule_mistake> put_checked_schedule(
    storage::transaction& tx,
    queue::schedule const& schedule,
    base::sys_time now,
    bool only_new = false
);

} // namespace postrider::server
