#pragma once
// The connections of a server that wait for their client, the longest wait first. When the server
// is full and another client comes, the first of them is closed.
//
// An exempt connection is never in the queue. On the executor's one thread; the queue outlives its
// entries.
#include <boost/intrusive/list.hpp>

#include <functional>

namespace postrider::net {

class eviction_queue {
    using hook = boost::intrusive::list_base_hook<
        boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

public:
    // Of one connection; leaves the queue when it is destroyed.
    class entry : public hook {
    public:
        // `evict` closes the connection. It is called outside of the queue.
        entry(eviction_queue& queue, std::function<void()> evict);

        // The connection waits for its client from now on, behind all the others.
        void wait();
        // The connection works for its client.
        void leave() noexcept { unlink(); }
        // The connection is never closed for another client.
        void exempt() noexcept;

    private:
        friend eviction_queue;

        eviction_queue& queue_;
        std::function<void()> evict_;
        bool exempt_ = false;
    };

    // `on_first` is called when the queue is no longer empty.
    void notify(std::function<void()> on_first) { on_first_ = std::move(on_first); }

    bool empty() const noexcept { return entries_.empty(); }
    // Closes the connection that has waited for longest; false when none waits.
    bool evict_first();

private:
    boost::intrusive::list<entry, boost::intrusive::constant_time_size<false>> entries_;
    std::function<void()> on_first_;
};

} // namespace postrider::net
