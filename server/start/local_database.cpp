#include "server/start/local_database.hpp"

namespace postrider::server {

base::result<local_database> open_local_database(config const& from, std::string application) {
    local_database database;
    database.options.url = from.database_url;
    database.options.application = std::move(application);
    database.options.prepared = from.prepared;
    if (!from.database_url.empty()) return database;
    auto cluster = storage::start_private_cluster(from.data / "postgres");
    if (!cluster) return cluster.error();
    database.cluster = std::move(*cluster);
    database.options.url = database.cluster->url();
    return database;
}

} // namespace postrider::server
