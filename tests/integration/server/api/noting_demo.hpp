#pragma once
// A demo's chat that does nothing but note what was asked of it. It shows message 7 with the button
// "q:yes", a picture with message 3, and one with message 2 that is gone.
#include "server/api/demo_chat.hpp"

#include <boost/json/parse.hpp>

#include <vector>

namespace postrider::tests {

class noting_demo final : public api::demo_chat {
public:
    boost::json::object show() const override {
        auto shown =
            boost::json::parse(
                R"({"lane": "1:5:0", "typing": false, "messages": [{"id": "7", "role": "assistant",
                   "origin": "agent", "content": "Sure?", "created_at": "2026-11-30T10:00:00Z",
                   "buttons": [[{"text": "Yes", "data": "q:yes"}]]}],
                   "model_timeout": {"state": "off", "deadline_ms": 10000}})"
            )
                .as_object();
        shown["typing"] = is_typing;
        return shown;
    }
    lane_id lane() const override { return lane_id{1}; }
    void watch(std::shared_ptr<base::waker> const& watcher) override {
        watchers.push_back(watcher);
    }
    void say(std::string text, std::string picture) override {
        note("say " + text + (picture.empty() ? "" : " with " + picture));
    }
    bool press(telegram_message_id message, std::string_view data) override {
        if (message != telegram_message_id{7}) return false;
        note("press " + std::string(data));
        return true;
    }
    std::string const* picture(telegram_message_id message) const override {
        return message == telegram_message_id{3} ? &image : nullptr;
    }
    bool had_picture(telegram_message_id message) const override {
        return message == telegram_message_id{2};
    }
    void hang_next_call() override { note("hang"); }
    void kill_process() override { note("kill"); }

    // As the bot says it.
    void type() {
        is_typing = true;
        for (auto const& watcher : watchers)
            if (auto const open = watcher.lock()) open->wake();
    }

    bool is_typing = false;
    std::vector<std::string> done;
    std::string const image = "\xff\xd8\xff\xe0 a JPEG";
    std::vector<std::weak_ptr<base::waker>> watchers;

private:
    void note(std::string action) { done.push_back(std::move(action)); }
};

} // namespace postrider::tests
