#pragma once
// The real binary as a child process: started with an environment of its own in a folder of its
// own, killed, stopped, continued, started again.
#include "base/clock.hpp"
#include "tests/support/free_port.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace postrider::tests {

using environment = std::map<std::string, std::string>;

class product {
public:
    // Nothing runs yet. The environment is all the child gets, beside PATH and HOME.
    explicit product(environment with, int port = free_port());
    ~product(); // SIGKILL, if it still runs
    product(product const&) = delete;
    product& operator=(product const&) = delete;

    // Starts `postrider serve`, with more variables for this start alone, and returns at once.
    void launch(environment const& more = {});
    // launch(), then waits until /readyz says 200. Throws with the log's end when it does not.
    void start(environment const& more = {});

    void kill();                              // SIGKILL, and waits
    int stop();                               // SIGTERM, waits, gives the exit code back
    void freeze();                            // SIGSTOP
    void thaw();                              // SIGCONT
    bool wait_for_exit(base::duration limit); // false when it still runs
    bool running() const { return pid_ > 0; }
    pid_t pid() const { return pid_; }

    // Runs another command of the binary to its end; stdout and the exit code.
    struct finished {
        int code = 0;
        std::string out;
    };
    finished run(std::vector<std::string> const& arguments, environment const& more = {});

    std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
    std::string origin() const { return "http://" + address(); }
    int port() const { return port_; }
    std::filesystem::path folder() const { return folder_; }
    std::string log() const;     // stderr of all starts so far
    std::string printed() const; // stdout of the last start, which is no terminal

private:
    pid_t spawn(
        std::vector<std::string> const& arguments, environment const& all, std::string const& out
    ) const;
    environment merged(environment const& more) const;

    environment with_;
    std::filesystem::path folder_;
    int port_ = 0;
    pid_t pid_ = 0;
    int exit_code_ = 0;
};

struct answer {
    int status = 0; // 0: no answer
    std::string head;
    std::string body;
};

// One blocking HTTP exchange on a connection of its own, sent as the text stands; "Connection:
// close" is the caller's.
answer http_exchange(
    int port, std::string const& raw, base::duration limit = std::chrono::seconds{10}
);
answer get(int port, std::string const& path);
// A webhook post with the secret.
answer post_update(
    int port, std::string const& secret, std::string const& body, std::string const& bot = "main"
);

// Polls until it is true; false when the time has passed.
bool eventually(
    std::function<bool()> const& condition, base::duration limit = std::chrono::seconds{20}
);

} // namespace postrider::tests
