#include "server/start/local_database.hpp"

#include <fmt/format.h>

namespace postrider::server {

namespace {

// The key as RFC 2104 pads it, for the inner hash and for the outer one.
base::secret audit_pads(base::secret const& key) {
    constexpr std::size_t block = 64;
    if (key.empty()) return {};
    auto padded = key.reveal(); // no longer than a block
    padded.resize(block);
    std::string hex;
    for (int const pad : {0x36, 0x5c})
        for (unsigned char const c : padded) hex += fmt::format("{:02x}", c ^ pad);
    return base::secret(std::move(hex));
}

} // namespace

base::result<local_database> open_local_database(
    config const& settings, std::string application, absent_cluster absent
) {
    local_database database;
    database.options.url = settings.database_url;
    database.options.application = std::move(application);
    database.options.prepared = settings.prepared;
    database.options.audit_key = audit_pads(settings.audit_key);
    database.options.reachability = std::make_shared<storage::reachability>();
    if (!settings.database_url.empty()) return database;
    auto const folder = settings.data / "postgres";
    if (absent == absent_cluster::refuse && !storage::has_private_cluster(folder))
        return base::error(
            base::errc::not_found,
            fmt::format(
                "there is none yet in {}: `postrider serve` makes it, `postrider demo` too; or "
                "name "
                "yours by DATABASE_URL",
                folder.string()
            )
        );
    auto cluster = storage::start_private_cluster(folder);
    if (!cluster) return cluster.error();
    database.cluster = std::move(*cluster);
    database.options.url = database.cluster->url();
    return database;
}

} // namespace postrider::server
