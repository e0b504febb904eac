#pragma once
// What somebody does who opens a transaction in psql, locks rows and goes away: the rows that the
// SQL locks stay locked until release(), or for ten seconds, as long as a session may idle.
#include "storage/database.hpp"

#include <future>
#include <stdexcept>
#include <string>
#include <thread>

namespace postrider::tests {

class held_lock {
public:
    held_lock(std::string const& url, std::string const& sql)
        : thread_([this, url, sql] { hold(url, sql); }) {
        auto const locked = locked_.get_future().get();
        if (!locked) thread_.join();
        if (!locked) throw std::runtime_error("no lock: " + base::to_string(locked.error()));
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
        bool locked = false;
        auto const done = storage::run_blocking(options, [&](storage::transaction& tx) {
            tx.query(storage::statement{"hold", sql});
            locked = true;
            locked_.set_value(base::result<void>{});
            released_.get_future().wait();
        });
        if (!locked) locked_.set_value(done);
    }

    std::promise<base::result<void>> locked_;
    std::promise<void> released_;
    std::thread thread_;
};

} // namespace postrider::tests
