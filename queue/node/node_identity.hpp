#pragma once
// What tells one server process from every other, also from one that got its number later.
#include <cstdint>
#include <string>

namespace postrider::queue {

struct node_identity {
    std::string host;
    std::string version;
    std::string boot_id;
    std::string pid_space;
    int pid = 0;
    std::int64_t pid_started = 0;
};

// Reads /proc; throws std::runtime_error where that is impossible.
node_identity this_process(std::string version);
// False when the process is gone or another one has its number.
bool process_lives(int pid, std::int64_t pid_started);

} // namespace postrider::queue
