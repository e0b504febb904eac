#pragma once
// How many may watch at a time: each has a connection and the queue of what it has to tell. On the executor's one thread.
#include "base/ids.hpp"
#include "net/http.hpp"

#include <map>
#include <memory>

namespace postrider::api {

class watch_places {
public:
    // Of one process, and of one person; 0 = as many as there are.
    explicit watch_places(int most, int most_of_a_user = 0)
        : most_(most),
          most_of_a_user_(most_of_a_user) {}

    // Taken until it is let go of; null when all are taken.
    std::shared_ptr<void> take(user_id user = {}) {
        auto const now = taken_->find(user);
        bool const user_is_full =
            most_of_a_user_ > 0 && now != taken_->end() && now->second >= most_of_a_user_;
        if (*all_ >= most_ || user_is_full) return nullptr;
        ++*all_;
        ++(*taken_)[user];
        auto const leave = [all = all_, taken = taken_, user](int*) {
            --*all;
            if (--(*taken)[user] == 0) taken->erase(user);
        };
        return std::shared_ptr<int>(all_.get(), leave);
    }

    int taken() const noexcept { return *all_; }

    static net::http_response all_taken() {
        auto full = net::http_response::problem(503, "busy", "too many watch already");
        full.headers.add("Retry-After", "5");
        return full;
    }

private:
    int most_;
    int most_of_a_user_;
    // They outlive it with whoever has a place.
    std::shared_ptr<int> all_ = std::make_shared<int>(0);
    std::shared_ptr<std::map<user_id, int>> taken_ = std::make_shared<std::map<user_id, int>>();
};

} // namespace postrider::api
