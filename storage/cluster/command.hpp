#pragma once
// Runs the tools of Postgres, which refuse to be run by root, as the account that owns the cluster.
#include "base/error.hpp"

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace postrider::storage::cluster {

struct account {
    uid_t user = 0;
    gid_t group = 0;
    std::string name;
    std::vector<gid_t> groups;
};

// The account of this process; as root the owner of `existing` if that is there, else postgres.
// refused: root has no such account to change to.
base::result<account> account_for(std::filesystem::path const& existing);

struct finished {
    int status = 0; // exit status; 127 = could not be started, 128 + n = ended by signal n
    std::string output;
};

// Waits for its end; output is stdout and stderr together. The environment is not passed on: it may
// hold secrets, and a started server would keep them.
finished run(std::vector<std::string> const& words, account const& as);

// True when the account may enter the folder (all folders above it included).
bool can_enter(std::filesystem::path const& folder, account const& as);

// Makes the account the owner; nothing to do unless this process is root.
base::result<void> give_to(std::filesystem::path const& path, account const& owner);

} // namespace postrider::storage::cluster
