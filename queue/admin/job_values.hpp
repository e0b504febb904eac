#pragma once
// Single values of a job's record, as their JSON is stored: each may be large. Read-only, inside an
// open transaction.
#include "base/ids.hpp"
#include "storage/database.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::queue {

// The job's own two, the result of a step, and the two of an effect.
inline constexpr std::array<std::string_view, 5> recorded_values{
    "input", "output", "step", "request", "result"};

// `value` is one of these, `key` that of the step or effect. Nothing where the record has none.
std::optional<std::string> read_recorded_value(
    storage::transaction& tx, job_id job, std::string_view value, std::string_view key
);

} // namespace postrider::queue
