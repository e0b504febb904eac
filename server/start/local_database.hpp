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

// Whether a private cluster that is not there yet is made.
enum class absent_cluster { make, refuse };

// The failures of start_private_cluster(); with DATABASE_URL nothing is tried and nothing fails.
// not_found: there is no cluster, and none is to be made; the detail says how to start one.
base::result<local_database> open_local_database(
    config const& settings, std::string application, absent_cluster absent = absent_cluster::make
);

} // namespace postrider::server
