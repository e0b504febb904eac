#pragma once
// How a bot is set up at Telegram, and its webhook, for those who operate it. Each question and each change is a call
// of Telegram with a deadline. On the executor's thread.
#include "base/async.hpp"
#include "base/error.hpp"
#include "server/start/bot_state.hpp"
#include "server/views/finding.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <string>

namespace postrider::server {

// As Telegram told of it just now.
struct bot_check {
    std::string wanted_url = {};               // of the webhook; "" = updates are polled
    std::optional<webhook_state> webhook = {}; // nothing: Telegram did not tell
    server::findings findings = {};
};

// Pure: as Webhook of the API's description, and null.
boost::json::value webhook_json(std::optional<webhook_state> const& webhook);
boost::json::object to_json(std::string const& bot, bot_check const& check);

class bot_setup {
public:
    virtual ~bot_setup() = default;

    virtual bool knows(std::string const& bot) const = 0; // the others are about such a bot
    virtual base::awaitable<bot_check> check(std::string bot) = 0;
    // Its address. invalid: the server has no public URL; others as Telegram refuses it.
    virtual base::awaitable<base::result<std::string>> set_webhook(std::string bot) = 0;
    // Updates that wait are kept.
    virtual base::awaitable<base::result<void>> delete_webhook(std::string bot) = 0;
};

} // namespace postrider::server
