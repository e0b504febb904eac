#pragma once
// A named SQL text; the name stands in logs and metrics and is the prepared statement's. Never built
// at run time: the text is a file of sql/statements (cmake/embed_statements.cmake), or, for one that is
// short or seldom used, a `constexpr statement` at the top of the file that uses it.
#include <string_view>

namespace postrider::storage {

struct statement {
    // What a batch passes: $1 = its rows; or also $2 and $3, the least and the greatest job id that
    // these rows are about. Bounds that are known when execution begins keep the partitions outside
    // of them from being opened at all.
    enum class parameters { rows_alone, rows_and_range };

    std::string_view name;
    std::string_view sql;
    int order = 0; // among the statements of one batch; see storage/batcher.hpp
    parameters takes = parameters::rows_alone;
};

inline constexpr auto rows_and_range = statement::parameters::rows_and_range;

} // namespace postrider::storage
