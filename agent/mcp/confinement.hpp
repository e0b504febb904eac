#pragma once
// Confines a child process before its program runs: it reads the system's programs and libraries and no
// other file, writes none, has no network, starts no process and reaches no other one. What the kernel
// does not offer is an error, never a looser confinement.
#include "base/error.hpp"

#include <string>
#include <vector>

namespace postrider::agent::mcp {

class confinement {
public:
    // Files and folders that may be read and run; those that do not exist are left out. unavailable: this
    // kernel has no Landlock, or the system has it off.
    static base::result<confinement> make(std::vector<std::string> const& readable);

    confinement(confinement&& other) noexcept;
    confinement(confinement const&) = delete;
    confinement& operator=(confinement const&) = delete;
    ~confinement();

    // Two halves, for the child between fork and exec: system calls only. False: errno says why.
    bool close_files() const noexcept;
    static bool close_calls() noexcept; // the last: what sets up a child is refused behind it

private:
    explicit confinement(int ruleset) : ruleset_(ruleset) {}

    int ruleset_;
};

// What interpreters of Debian read to start.
std::vector<std::string> const& system_folders();

} // namespace postrider::agent::mcp
