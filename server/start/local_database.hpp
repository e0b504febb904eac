#pragma once
// The database that the configuration names, for commands: DATABASE_URL, or the private cluster,
// which is joined when a server runs it and otherwise started for the command's life. Blocking.
#include "server/start/config.hpp"
#include "storage/database.hpp"
#include "storage/private_cluster.hpp"

#include <memory>

namespace postrider::server {

struct local_database {
    storage::database_options options;
    std::unique_ptr<storage::private_cluster> cluster; // null with DATABASE_URL; stopped by its end

    local_database() = default;
    local_database(local_database&&) = default;
    local_database& operator=(local_database&&) = delete;
    ~local_database() {
        if (cluster) cluster->stop();
    }
};

// The failures of start_private_cluster(); with DATABASE_URL nothing is tried and nothing fails.
base::result<local_database> open_local_database(config const& from, std::string application);

} // namespace postrider::server
