#include "tests/end_to_end/queue/process.hpp"

#include <csignal>
#include <fcntl.h>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace postrider::tests {

process::process(std::vector<std::string> const& command, std::string const& output) {
    std::vector<char*> arguments;
    for (auto const& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    pid_ = fork();
    if (pid_ < 0) throw std::runtime_error("fork failed");
    if (pid_ > 0) return;
    int const file = open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    execv(arguments.front(), arguments.data());
    _exit(127);
}

process::~process() {
    if (running()) end(SIGKILL);
}

bool process::running() {
    if (pid_ == 0) return false;
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) != pid_) return true;
    pid_ = 0;
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return false;
}

int process::end(int signal, base::duration limit) {
    if (pid_ != 0) kill(pid_, signal);
    auto const until = std::chrono::steady_clock::now() + limit;
    while (running()) {
        if (std::chrono::steady_clock::now() > until) kill(pid_, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    return exit_code_;
}

} // namespace postrider::tests
