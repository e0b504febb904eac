#pragma once
// A program as a child process.
#include "base/clock.hpp"

#include <string>
#include <sys/types.h>
#include <vector>

namespace postrider::tests {

class process {
public:
    // Starts it; its output goes to the file.
    process(std::vector<std::string> const& command, std::string const& output);
    ~process(); // SIGKILL, if it still runs
    process(process const&) = delete;
    process& operator=(process const&) = delete;

    bool running(); // false once it has ended, however
    // Sends the signal, waits for the end, gives the exit code (-1: a signal ended it).
    int end(int signal, base::duration limit = std::chrono::seconds{20});
    int exit_code() const { return exit_code_; }

private:
    pid_t pid_ = 0;
    int exit_code_ = 0;
};

} // namespace postrider::tests
