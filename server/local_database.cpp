#include "server/local_database.hpp"

namespace postrider::server {

base::result<local_database> open_local_database(config const& from, std::string application) {
    local_database made;
    made.options.url = from.database_url;
    made.options.application = std::move(application);
    made.options.prepared = from.prepared;
    if (!from.database_url.empty()) return made;
    auto cluster = storage::start_private_cluster(from.data / "postgres");
    if (!cluster) return cluster.error();
    made.cluster = std::move(*cluster);
    made.options.url = made.cluster->url();
    return made;
}

} // namespace postrider::server
