#include "tests/end_to_end/server/child.hpp"

#include <fcntl.h>
#include <fstream>
#include <signal.h>
#include <spawn.h>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace postrider::tests {

namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> list;
    for (auto& word : words) list.push_back(word.data());
    list.push_back(nullptr);
    return list;
}

} // namespace

child::child(std::vector<std::string> words, fs::path output, environment const& more)
    : output_(std::move(output)) {
    std::vector<std::string> variables;
    for (auto const& [name, value] : more) variables.push_back(name + "=" + value);
    for (auto** variable = environ; *variable; ++variable)
        if (!std::string_view(*variable).starts_with("POSTRIDER_"))
            variables.emplace_back(*variable);

    posix_spawn_file_actions_t streams;
    posix_spawn_file_actions_init(&streams);
    posix_spawn_file_actions_addopen(&streams, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(
        &streams, 1, output_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600
    );
    posix_spawn_file_actions_adddup2(&streams, 1, 2);
    auto const failed = posix_spawnp(
        &pid_,
        words[0].c_str(),
        &streams,
        nullptr,
        pointers(words).data(),
        pointers(variables).data()
    );
    posix_spawn_file_actions_destroy(&streams);
    if (failed) throw std::runtime_error(words[0] + " does not start");
}

child::~child() {
    if (pid_ > 0) kill(pid_, SIGTERM);
    if (wait(5s)) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
}

std::optional<int> child::wait(base::duration limit) {
    auto const ended = [&] {
        int status = 0;
        if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
        exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        pid_ = 0;
        return true;
    };
    if (pid_ > 0 && !eventually(ended, limit)) return std::nullopt;
    return exit_code_;
}

std::string child::output() const {
    return read_file(output_);
}

std::optional<fs::path> find_program(std::string const& name) {
    std::stringstream folders(std::string(std::getenv("PATH")) + ":/usr/sbin");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (auto const file = fs::path(folder) / name; access(file.c_str(), X_OK) == 0) return file;
    return std::nullopt;
}

std::string read_file(fs::path const& file) {
    std::ifstream in(file, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

void write_file(fs::path const& file, std::string const& text) {
    std::ofstream(file, std::ios::binary) << text;
}

} // namespace postrider::tests
