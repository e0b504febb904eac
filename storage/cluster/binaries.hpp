#pragma once
// Finds the programs of a Postgres server: distributions keep them out of PATH, one folder a
// version.
#include "storage/cluster/command.hpp"

#include <optional>

namespace postrider::storage::cluster {

inline constexpr int oldest_supported = 15;

struct binaries {
    std::filesystem::path folder; // holds postgres, initdb and pg_ctl
    int version = 0;              // major
};

// The first folder of `where` with a server that is supported, or with exactly `wanted`.
// not_found: none (the detail names the package); refused: only older ones than we support.
base::result<binaries> find_binaries(
    std::vector<std::filesystem::path> const& folders,
    std::optional<int> required,
    account const& as
);

} // namespace postrider::storage::cluster
