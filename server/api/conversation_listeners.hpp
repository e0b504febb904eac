#pragma once
// Tells those who watch a conversation in this process that something begins in it, so that they
// need not find out by looking. On the executor's one thread.
#include "agent/flow/watch/live.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace postrider::api {

struct conversation_listener {
    std::shared_ptr<agent::flow::live_queue> wakes;
    bool is_notified = false;
    bool is_idle = false; // no turn goes on, as far as is known
};

class conversation_listeners {
public:
    // Until the listener is destroyed.
    void add(
        std::string const& conversation, std::shared_ptr<conversation_listener> const& listener
    ) {
        std::erase_if(listeners_, [](auto const& entry) { return entry.second.expired(); });
        listeners_.emplace(conversation, listener);
    }

    void notify(std::string_view conversation) {
        for_each(conversation, [](conversation_listener& listener) { notify(listener); });
    }
    // A turn begins: who has no other one to hear hears it from its first step on.
    void notify(std::string_view conversation, job_id turn, agent::flow::live& live) {
        for_each(conversation, [&](conversation_listener& listener) {
            if (listener.is_idle) live.watch(turn, listener.wakes);
            notify(listener);
        });
    }

private:
    static void notify(conversation_listener& listener) {
        listener.is_notified = true;
        listener.wakes->progress();
    }

    template<class Call>
    void for_each(std::string_view conversation, Call call) {
        auto [from, end] = listeners_.equal_range(conversation);
        for (; from != end; ++from)
            if (auto const listener = from->second.lock()) call(*listener);
    }

    std::multimap<std::string, std::weak_ptr<conversation_listener>, std::less<>> listeners_;
};

} // namespace postrider::api
