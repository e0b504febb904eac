#pragma once
// The simulated Telegram of demo mode, as the API shows and uses it: one private chat of a person with
// the demo's bot, and what makes trouble on demand. On the loop's thread.
#include "base/ids.hpp"
#include "base/waker.hpp"

#include <boost/json/object.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace postrider::api {

class demo_chat {
public:
    virtual ~demo_chat() = default;

    // What Telegram shows now: DemoChat of demo_endpoints.openapi.json.
    virtual boost::json::object show() const = 0;
    // The chat's own lane; 0 = the database did not tell it.
    virtual lane_id lane() const = 0;
    // Wakes it at every change until it is let go of.
    virtual void watch(std::shared_ptr<base::waker> const& watcher) = 0;

    // The person writes, with a picture's bytes where they are not empty.
    virtual void say(std::string text, std::string picture) = 0;
    // The person presses a button. False: the message shows none with that data.
    virtual bool press(telegram_message_id message, std::string_view data) = 0;
    // The bytes of what the person sent with that message; null = none, or it is gone.
    virtual std::string const* picture(telegram_message_id message) const = 0;
    // The person sent one with that message, which is gone: only the newest are kept.
    virtual bool had_picture(telegram_message_id message) const = 0;

    // The next call of any model gets no answer before its deadline.
    virtual void hang_next_call() = 0;
    // Ends the process as kill -9 does.
    virtual void kill_process() = 0;
};

} // namespace postrider::api
