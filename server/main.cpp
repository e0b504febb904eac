// The process: the only place that reads the environment. Everything else is cli::run().
#include "server/cli/run.hpp"

#include <csignal>
#include <exception>
#include <iostream>

extern char** environ;

namespace {

postrider::base::environment read_environment() {
    postrider::base::environment variables;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        std::string_view text = *entry;
        auto equals = text.find('=');
        if (equals != text.npos) variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return variables;
}

} // namespace

int main(int count, char** values) {
    using namespace postrider;
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is an error of a write, not the end of a server
    std::signal(SIGHUP, SIG_IGN);  // a closed terminal neither
    try {
        return cli::run({values + 1, values + count}, read_environment(), std::cout, std::cerr);
    } catch (std::exception const& e) {
        std::cerr << "postrider: " << e.what() << '\n';
        return 1;
    }
}
