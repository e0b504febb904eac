#pragma once
// A Postgres cluster of our own, for when DATABASE_URL is empty: made under a folder at the first
// start, reused at the next, stopped with the product. Unix socket only, full durability, never run
// as root (as root, it runs as the user postgres). Blocking: used at start-up and at exit.
//
// Several processes may use one cluster; the last that stops it does. When that one is killed the
// server goes on, and the next start joins it and takes over the duty to stop it. The server is in
// a session of its own: Ctrl-C does not reach it before us. When the server dies itself, the
// processes that keep it running start it again: one does, the others join.
//
// The folder belongs to the cluster alone: data/, postgres.log, two lock files and the socket. When
// its path is too long for a socket, that is in /tmp/postrider-<uid>-<hash>. When the user postgres
// cannot reach the folder (as under /root), /var/lib/postrider/<hash> is used instead, and logged.
#include "base/error.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

class private_cluster {
public:
    virtual ~private_cluster() = default;
    // A libpq conninfo of database "postrider".
    virtual std::string url() const = 0;
    // Where it is: the folder that was asked for, in the same words, or the one that is used instead.
    virtual std::filesystem::path folder() const = 0;
    // From now until stop() or leave(), on a thread of its own: a server that is gone is started
    // again, with a pause after each try that fails. One that only does not answer is left alone.
    virtual void keep_running() = 0;
    // Fast shutdown, unless another process still uses the cluster; waits for its end. Idempotent.
    virtual void stop() = 0;
    // Leaves the server running; stop() does nothing any more.
    virtual void leave() = 0;
};

// Where server programs are looked for: the folders of `path` (as in $PATH), then the
// distributions'.
std::vector<std::filesystem::path> server_folders(std::string_view path = {});

// Whether a cluster was made for that folder, wherever it is. Changes nothing.
bool has_private_cluster(std::filesystem::path const& folder);

// Makes the cluster if need be and starts it, or joins one that already runs there. not_found: no
// server binaries on this machine (the detail says which package to install); unavailable: it does
// not start (the detail holds the end of its log), or it runs and does not answer; refused: the
// folder cannot be used, or the only server is older than is supported (the detail says why).
base::result<std::unique_ptr<private_cluster>> start_private_cluster(
    std::filesystem::path const& folder,
    std::vector<std::filesystem::path> const& where = server_folders()
);

} // namespace postrider::storage
