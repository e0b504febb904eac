#pragma once
// Another program as a child process of a test: a proxy, a client. It ends with the object.
#include "tests/end_to_end/server/product.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace postrider::tests {

class child {
public:
    // The program is looked up in PATH; stdout and stderr go to the file `output`. The environment
    // is `more` and the test's own, but for its POSTRIDER_ variables: those that are for the tests are
    // no settings of the product, which refuses them. Throws when the program cannot be started.
    child(
        std::vector<std::string> words, std::filesystem::path output, environment const& more = {}
    );
    ~child(); // SIGTERM, and waits; SIGKILL when that is not heard
    child(child const&) = delete;
    child& operator=(child const&) = delete;

    // The exit code once the program has ended within the limit.
    std::optional<int> wait(base::duration limit);
    std::string output() const; // so far

private:
    std::filesystem::path output_;
    pid_t pid_ = 0;
    int exit_code_ = 0;
};

// Is a program of this name in PATH, or where Debian keeps servers?
std::optional<std::filesystem::path> find_program(std::string const& name);

std::string read_file(std::filesystem::path const& file);
void write_file(std::filesystem::path const& file, std::string const& text);

} // namespace postrider::tests
