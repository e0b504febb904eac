#pragma once
// What was asked of models and what it cost, from the view postrider.usage: by day, user, chat,
// agent, flow or model, or by two of these. Reads the days that are asked for and no others. Also where a day begins.
#include "storage/database.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

enum class usage_key { day, user, chat, agent, flow, model };
std::string_view to_string(usage_key key) noexcept;
std::optional<usage_key> usage_key_from_string(std::string_view name) noexcept;
// Their names, in this order.
std::vector<std::string> usage_keys();

inline constexpr int usual_usage_days = 30;
inline constexpr int most_usage_days = 3660;
inline constexpr int most_usage_lines = 1000;

struct usage_line {
    // "2026-11-23", an id in digits, a conversation's UUID or a name; none = nobody's.
    std::optional<std::string> subject;
    std::optional<std::string> second = {}; // likewise, by the second key
    std::int64_t calls = 0;
    std::int64_t tokens_in = 0; // cached ones included
    std::int64_t tokens_cached = 0;
    std::int64_t tokens_out = 0;
    std::int64_t cost_micro = 0; // millionths of a US dollar; 0 where no price is configured
};

struct usage_report {
    usage_key by = usage_key::day;
    std::optional<usage_key> then_by = {};
    int days = 0; // the last so many, today included
    std::string timezone;
    std::vector<usage_line>
        lines; // newest day first, else what cost most; at most most_usage_lines
};

// Throws as transaction::query() does.
usage_report read_usage(
    transaction& tx, usage_key by, int days, std::optional<usage_key> then_by = {}
);

// Where a day begins from now on, for all processes. A zone that Postgres does not know throws.
void keep_timezone(transaction& tx, std::string const& zone);

} // namespace postrider::storage
