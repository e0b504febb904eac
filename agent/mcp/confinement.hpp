#pragma once
// Confines a child process before its program runs: it reads the system's programs and libraries and no
// other file, writes none, has no network, starts no process and reaches no other one. A superuser's child
// is nobody's, so that limits hold for it. What the kernel does not offer is an error, never a looser
// confinement.
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

    // For the child between fork and exec, in this order: system calls only. False: errno says why. Last come
    // the system calls (call_filter.hpp), since what sets up a child is refused behind them.
    static bool give_up_rights() noexcept;
    bool close_files() const noexcept;

private:
    explicit confinement(int ruleset) : ruleset_(ruleset) {}

    int ruleset_;
};

// What interpreters of Debian read to start, and poppler reads for the scripts of East Asia.
std::vector<std::string> const& system_folders();

} // namespace postrider::agent::mcp
