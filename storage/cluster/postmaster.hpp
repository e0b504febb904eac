#pragma once
// The server process of a cluster, as its data folder names it.
#include <filesystem>
#include <sys/types.h>

namespace postrider::storage::cluster {

// True when the process of postmaster.pid is a server that has not ended.
// So long as it cannot be found out, it counts as alive.
bool postmaster_lives(std::filesystem::path const& data);

// The number in postmaster.pid, of whichever process has it now; 0 = there is none.
pid_t postmaster_number(std::filesystem::path const& data);

// After a power cut, or in a container started again, the number may belong to another process of
// our account, and Postgres would take that for a server: the file is removed. Where the number is
// nobody's it stays, for Postgres reads there which shared memory it must not find in use.
void forget_stale_pid(std::filesystem::path const& data);

} // namespace postrider::storage::cluster
