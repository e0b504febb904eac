#pragma once
// Tells those who watch a conversation in this process that something begins in it, so that they
// need not find out by looking. On the executor's one thread.
#include "agent/flow/watch/live.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace postrider::api {

struct conversation_bell {
    std::shared_ptr<agent::flow::live_queue> wakes;
    bool has_rung = false;
    bool is_idle = false; // no turn goes on, as far as is known
};

class conversation_bells {
public:
    // Until the bell is let go of.
    void watch(std::string const& conversation, std::shared_ptr<conversation_bell> const& by) {
        std::erase_if(watchers_, [](auto const& entry) { return entry.second.expired(); });
        watchers_.emplace(conversation, by);
    }

    void ring(std::string_view conversation) {
        for_each(conversation, [](conversation_bell& bell) { ring(bell); });
    }
    // A turn begins: who has no other one to hear hears it from its first step on.
    void ring(std::string_view conversation, job_id turn, agent::flow::live& live) {
        for_each(conversation, [&](conversation_bell& bell) {
            if (bell.is_idle) live.watch(turn, bell.wakes);
            ring(bell);
        });
    }

private:
    static void ring(conversation_bell& bell) {
        bell.has_rung = true;
        bell.wakes->progress();
    }

    template<class Call>
    void for_each(std::string_view conversation, Call call) {
        auto [from, end] = watchers_.equal_range(conversation);
        for (; from != end; ++from)
            if (auto const bell = from->second.lock()) call(*bell);
    }

    std::multimap<std::string, std::weak_ptr<conversation_bell>, std::less<>> watchers_;
};

} // namespace postrider::api
