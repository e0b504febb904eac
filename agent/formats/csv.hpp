#pragma once
// Comma-separated values as RFC 4180 has them, with a delimiter of one's choice. A line may end with CR
// LF or LF. Pure.
#include "base/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::formats {

using csv_row = std::vector<std::string>;
inline constexpr std::size_t most_csv_rows = 100'000;
inline constexpr std::size_t most_csv_columns = 1000;
inline constexpr std::size_t most_csv_cells = 500'000;

// Empty lines are left out, and a byte order mark. invalid: a quote that is not closed, or one within a
// field; the detail names the line. too_large: beyond the bounds above.
base::result<std::vector<csv_row>> read_csv(std::string_view text, char delimiter);

// Behind what is there, with CR LF.
void append_csv(std::string& to, csv_row const& row, char delimiter);

} // namespace postrider::agent::formats
