#pragma once
// A real Redis for one test, on a port and in a folder of its own. It can be killed, frozen and started anew
// with what it had. Tests that need it are skipped where no redis-server is installed (scripts/setup --test).
#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace postrider::tests {

bool has_redis_server();

class redis_server {
public:
    // More lines of its configuration, such as {"--requirepass", "…"}. Answers once this returns.
    explicit redis_server(std::vector<std::string> more = {});
    ~redis_server();
    redis_server(redis_server const&) = delete;
    redis_server& operator=(redis_server const&) = delete;

    std::string port() const { return std::to_string(port_); }

    void kill();   // as by a power cut
    void start();  // with what it had saved: every write
    void freeze(); // it takes connections and answers nothing
    void thaw();

private:
    bool answers() const;

    std::filesystem::path folder_;
    std::vector<std::string> more_;
    int port_;
    pid_t process_ = -1;
};

} // namespace postrider::tests
