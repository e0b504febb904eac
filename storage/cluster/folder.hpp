#pragma once
// The folder of a private cluster: whose it is, what is where in it, and where its socket can be.
#include "storage/cluster/command.hpp"

namespace postrider::storage::cluster {

struct place {
    account owner;
    std::filesystem::path folder;
    std::filesystem::path data; // PGDATA
    std::filesystem::path log;
    std::filesystem::path socket; // the folder that the socket is in
};

// Makes the folders that are missing, for the right account. refused: not a folder, holds something
// else, belongs to another user, or cannot be made.
base::result<place> prepare_folder(std::filesystem::path const& path);

// Whether a cluster was begun there, or in the folder that is used in its place.
bool is_prepared(std::filesystem::path const& path);

} // namespace postrider::storage::cluster
