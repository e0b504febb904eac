#pragma once
// Files that an execution received, and that its items refer to by id. No other execution reads them. A file
// stays for a week; one that has expired is not there.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace postrider::storage {

struct flow_file {
    std::string id; // nanoid
    std::string name;
    std::string mime;
    std::string content;
};

// `user`: whose message is answered, or nobody's (0). One that is there stays as it is. Order 74; returns no row.
write put_flow_file(job_id job, flow_file const& file, user_id user);

// Nothing: it has expired, or is of another execution. Fails as batcher::commit().
base::awaitable<base::result<std::optional<flow_file>>> read_flow_file(
    batcher& reads, job_id job, std::string id, base::duration deadline
);

} // namespace postrider::storage
