#pragma once
// What happens in groups, in numbers: when somebody wrote last, and what the spam filter judged in the last day.
#include "base/ids.hpp"
#include "storage/database.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace postrider::storage {

struct served_group {
    bot_id bot{};
    chat_id chat{};
};

inline constexpr int most_judged_in_a_day = 10'000; // counts stop there

struct group_activity {
    std::string last_message_at; // ISO 8601 in UTC; "" = nothing is stored
    std::int64_t judged = 0;     // messages, in the last day
    std::int64_t spam = 0;       // of these
};

// One for each place, in their order. Throws as transaction::query() does.
std::vector<group_activity> read_group_activity(
    transaction& tx, std::vector<served_group> const& groups
);

// The newest turn of the group: the lane and the job whose agent would read it. Nothing: no message there started one.
struct group_turn {
    lane_id lane{};
    job_id job{};
};
std::optional<group_turn> find_newest_turn(transaction& tx, served_group group);

} // namespace postrider::storage
