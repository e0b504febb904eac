#pragma once
// The values of "format" that can be checked.
#include <cstddef>
#include <string_view>

namespace postrider::agent::json_schema {

struct format {
    std::string_view name;
    std::string_view description; // "a date like 2024-12-31"
    bool (*fits)(std::string_view);
    std::size_t work = 1; // for 64 bytes, see check_limits
};

// Null for a name that is not known.
format const* find_format(std::string_view name);

// The formats of times (RFC 3339), in a file of their own.
bool is_date(std::string_view text);
bool is_time(std::string_view text);
bool is_date_time(std::string_view text);

} // namespace postrider::agent::json_schema
