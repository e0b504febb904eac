#pragma once
// Lists of tools that models were offered, kept once by their digest. A list outlives every job that
// refers to it: retention prunes it with the last of them (sql/functions/retention.sql).
#include "storage/batcher.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace postrider::storage {

// For the commit that records the digest. Order 67; returns no row.
write keep_tool_catalog(std::string_view digest, boost::json::value const& tools);

// Whether the list is kept, and noted as used within the last hour: then it needs no keep_tool_catalog(). Retention
// leaves it for a day from then. Errors as query().
base::awaitable<base::result<bool>> keeps_tool_catalog(
    batcher& reads, std::string digest, base::duration deadline
);

// Nothing: it is not kept. Errors as query().
base::awaitable<base::result<std::optional<boost::json::value>>> read_tool_catalog(
    batcher& reads, std::string digest, base::duration deadline
);

} // namespace postrider::storage
