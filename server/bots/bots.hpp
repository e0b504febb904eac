#pragma once
// All bots of this process. Each has its token, secret, allowlist, agent and limits of its own;
// what happens to one does not touch the others. A bot whose token is refused is stopped for all
// processes (its gate in queue/limits/limits.hpp), until it works again in any of them. On the
// executor's one thread.
#include "net/http_client.hpp"
#include "queue/limits/limits.hpp"
#include "queue/node/engine.hpp"
#include "server/bots/bot_service.hpp"
#include "server/start/bot_state.hpp"
#include "server/start/config.hpp"
#include "server/telegram/bot.hpp"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace postrider::server {

// All of them outlive the bots.
struct bots_services {
    base::asio::any_io_executor executor;
    net::http_client& http;
    base::clock& clock;
    base::random_source& random;
    storage::database& db;
    queue::limiter& limits;
    queue::engine& node;              // that is not started yet
    base::durations* calls = nullptr; // of Telegram's methods; outlives the bots
    base::duration between_looks =
        std::chrono::seconds{1}; // at tokens elsewhere, and at what flows ask for
};

// What the configuration limits.
std::vector<queue::rate_limit> rates_of(config const& settings);

class bots {
public:
    // Leaves out those that cannot be used, with an error in the log. Throws start_failure when
    // none is left.
    bots(
        bots_services services,
        std::vector<bot_config> const& configured,
        std::map<std::string, storage::bot_row, std::less<>> const& rows
    );

    telegram::bot_list list() const;
    // Asks Telegram for the webhooks, for three seconds at most; where it does not answer, they are as it told
    // before. Those that were left out are not there.
    base::awaitable<std::vector<bot_state>> states();
    // Of each configured bot, by name; one that was left out is stopped, too.
    std::map<std::string, bool> stopped() const;
    telegram::bot const& first() const { return *bots_.front(); }
    // As [bots.NAME].owners says; false for a bot that this process lacks.
    bool is_owner(bot_id bot, user_id user) const;
    // The private chats of these people, and of the owners where none are chosen, with the first bot that
    // allows each.
    std::vector<agent::address> chats_of_approvers(std::vector<user_id> const& chosen) const;
    // As [bots.NAME].timezone says; "" for a bot that this process lacks.
    std::string timezone_of(bot_id bot) const;

    // Sets their webhooks or begins to poll. webhook_url: of a bot's name; empty = polling.
    // watched_events: of a bot, for which flows watch its groups.
    void start(
        telegram::intake& inbox,
        std::function<std::string(std::string const& name)> const& webhook_url,
        std::function<std::set<agent::group_event>(telegram::bot_settings const&)> const&
            watched_events = {}
    );
    // Takes in no update any more.
    base::awaitable<void> stop();
    // Calls nobody any more.
    base::awaitable<void> close();

private:
    std::unique_ptr<telegram::bot> make(bot_config const& config, storage::bot_row const& row);
    base::awaitable<void> watch_gates();

    bots_services services_;
    telegram::poll_leases leases_;
    std::vector<std::unique_ptr<telegram::bot>> bots_;
    std::vector<std::string> left_out_;                            // by name
    std::map<std::string, std::optional<webhook_state>> webhooks_; // by bot, as Telegram told last
    std::vector<std::unique_ptr<bot_service>> services_of_bots_;
    base::task_group tasks_;
};

} // namespace postrider::server
