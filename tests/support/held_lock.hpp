#pragma once
// What somebody does who opens a transaction in psql, locks rows and goes away: the rows that the
// SQL locks stay locked until release(), or for ten seconds, as long as a session may idle.
#include "storage/database.hpp"

#include <future>
#include <string>
#include <thread>

namespace postrider::tests {

class held_lock {
public:
    held_lock(std::string const& url, std::string const& sql)
        : thread_([this, url, sql] { hold(url, sql); }) {
        locked_.get_future().wait();
    }
    ~held_lock() { release(); }
    held_lock(held_lock const&) = delete;
    held_lock& operator=(held_lock const&) = delete;

    void release() {
        if (!thread_.joinable()) return;
        released_.set_value();
        thread_.join();
    }

private:
    void hold(std::string const& url, std::string const& sql) {
        storage::database_options options;
        options.url = url;
        (void)storage::run_blocking(options, [&](storage::transaction& tx) {
            tx.query(storage::statement{"hold", sql});
            locked_.set_value();
            released_.get_future().wait();
        });
    }

    std::promise<void> locked_;
    std::promise<void> released_;
    std::thread thread_;
};

} // namespace postrider::tests
