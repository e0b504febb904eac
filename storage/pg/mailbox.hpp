#pragma once
// What waits for storage threads, in order of arrival. Letters are withdrawn when nobody waits for
// them any more, so a database that hangs does not make the mailbox grow. Threads: any.
#include "base/clock.hpp"

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

namespace postrider::storage::pg {

template<class Letter>
class mailbox {
public:
    using pointer = std::shared_ptr<Letter>;

    // What a letter derives from.
    struct place {
        typename std::list<pointer>::iterator position;
        base::steady_time since{};
        bool waiting = false;
    };

    // False: closed.
    bool put(pointer letter) {
        std::list<pointer> single;
        single.push_back(std::move(letter));
        auto& placed = *single.front();
        placed.position = single.begin();
        placed.since = base::system_clock().steady();
        std::unique_lock lock{mutex_};
        if (closed_) return false;
        placed.waiting = true;
        letters_.splice(letters_.end(), single);
        bool const wake = idle_ > 0;
        lock.unlock();
        if (wake) arrived_.notify_one();
        return true;
    }

    // Nothing happens when a thread has taken it already.
    void withdraw(pointer const& letter) {
        std::list<pointer> single; // destroyed after the lock
        std::lock_guard lock{mutex_};
        if (!letter->waiting) return;
        letter->waiting = false;
        single.splice(single.begin(), letters_, letter->position);
    }

    // Waits for the first letter, then takes what is there. Empty: closed.
    std::vector<pointer> take(std::size_t most) {
        std::vector<pointer> taken;
        std::unique_lock lock{mutex_};
        ++idle_;
        arrived_.wait(lock, [&] { return closed_ || !letters_.empty(); });
        --idle_;
        while (!letters_.empty() && taken.size() < most) {
            letters_.front()->waiting = false;
            taken.push_back(std::move(letters_.front()));
            letters_.pop_front();
        }
        return taken;
    }

    // Ends every take() once the letters are gone; returns those that nobody will take.
    std::vector<pointer> close() {
        std::unique_lock lock{mutex_};
        closed_ = true;
        std::vector<pointer> left;
        for (auto& letter : letters_) {
            letter->waiting = false;
            left.push_back(std::move(letter));
        }
        letters_.clear();
        lock.unlock();
        arrived_.notify_all();
        return left;
    }

    struct count {
        std::size_t waiting = 0;
        base::duration oldest{0};
    };

    count counts() const {
        std::lock_guard lock{mutex_};
        if (letters_.empty()) return {};
        return {letters_.size(), base::system_clock().steady() - letters_.front()->since};
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable arrived_;
    std::list<pointer> letters_;
    std::size_t idle_ = 0;
    bool closed_ = false;
};

} // namespace postrider::storage::pg
