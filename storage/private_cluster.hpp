#pragma once
// A Postgres cluster of our own, for when DATABASE_URL is empty: made under a folder at the first
// start, reused at the next, stopped with the product. Unix socket only, full durability, never run
// as root (as root, it runs as the user postgres). Blocking: used at start-up and at exit.
#include "base/error.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace postrider::storage {

class private_cluster {
public:
    virtual ~private_cluster() = default;
    // A libpq conninfo of database "postrider".
    virtual std::string url() const = 0;
    // Fast shutdown, if it is this object that started the server; waits for its end. Idempotent.
    virtual void stop() = 0;
};

// Makes the cluster if need be and starts it, or joins one that already runs there. not_found: no
// server binaries on this machine (the detail says which package to install); unavailable: it does
// not start (the detail holds the end of its log); refused: the folder cannot be used (and why).
base::result<std::unique_ptr<private_cluster>> start_private_cluster(
    std::filesystem::path const& folder
);

} // namespace postrider::storage
