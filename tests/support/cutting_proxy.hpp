#pragma once
// Stands between libpq and a test's Postgres, counts what goes by and cuts connections at a chosen
// moment: how a commit whose answer is lost is made to happen. Threads: all calls from any thread.
#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace postrider::tests {

class cutting_proxy {
public:
    // `server` is a conninfo of the test cluster (host='/folder' …).
    explicit cutting_proxy(std::string server);
    ~cutting_proxy();
    cutting_proxy(cutting_proxy const&) = delete;
    cutting_proxy& operator=(cutting_proxy const&) = delete;

    // The conninfo to use instead.
    std::string url() const;

    enum class moment {
        before, // the server never gets the message
        after,  // the server has carried it out; its answer is not passed on
        // Of a commit: it is confirmed, and behind that the server is stopped.
        confirmed
    };
    // Cuts the next connection that sends a message with this text, once.
    void cut(std::string text, moment when);
    bool was_cut() const;

    // How many messages with this text have passed. Counting starts with the first call for a text.
    int seen(std::string const& text);

    // Cuts all that is open; new connections are welcome.
    void cut_all();

private:
    struct watch {
        std::string text;
        int seen = 0;
    };

    void accept_all();
    void carry(int client);
    bool carry_to_server(int client, int server);

    std::string server_;
    std::string socket_;
    int listener_ = -1;
    int port_ = 0;
    std::atomic<bool> closing_{false};
    std::thread acceptor_;

    mutable std::mutex mutex_;
    std::vector<std::thread> carriers_;
    std::vector<int> open_;
    std::vector<watch> watches_;
    std::string cut_text_;
    moment cut_when_ = moment::after;
    bool was_cut_ = false;
};

} // namespace postrider::tests
