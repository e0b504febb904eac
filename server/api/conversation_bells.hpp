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
};

class conversation_bells {
public:
    // Until the bell is let go of.
    void watch(std::string const& conversation, std::shared_ptr<conversation_bell> const& by) {
        std::erase_if(watchers_, [](auto const& entry) { return entry.second.expired(); });
        watchers_.emplace(conversation, by);
    }

    void ring(std::string_view conversation) {
        auto [from, end] = watchers_.equal_range(conversation);
        for (; from != end; ++from) {
            auto const bell = from->second.lock();
            if (!bell) continue;
            bell->has_rung = true;
            bell->wakes->progress();
        }
    }

private:
    std::multimap<std::string, std::weak_ptr<conversation_bell>, std::less<>> watchers_;
};

} // namespace postrider::api
