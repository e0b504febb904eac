#pragma once
// The load: webhook requests as Telegram sends them, each with an update id of its own, one chat
// after the other. About 700 bytes of body, most of it the message's text.
#include "base/clock.hpp"
#include "base/ids.hpp"

#include <string>
#include <string_view>

namespace postrider::bench {

// What every message says; a JSON string needs no escapes for it.
extern std::string_view const question;

struct target {
    std::string path = "/telegram/main";
    std::string secret; // of the webhook
};

class update_source {
public:
    // Private chats of the users first_user … first_user + chats - 1.
    update_source(target destination, user_id first_user, int chats, update_id first);
    // Instead of that, a person in each of the groups -1 … -chats, who says this.
    static update_source of_groups(
        target destination, int chats, update_id first, std::string says
    );

    struct request {
        chat_id chat;
        std::string bytes; // a whole HTTP/1.1 request
    };
    request next();
    std::string next_body(); // the next request's body alone

private:
    target destination_;
    std::int64_t first_user_;
    std::int64_t chats_;
    std::int64_t first_update_;
    std::int64_t made_ = 0;
    std::string says_ = {}; // in groups; "" = in private chats
};

} // namespace postrider::bench
