#pragma once
// Where things come in: the HTTP server with Telegram's webhook, the flows' hooks, the API, the login to
// the console and the pages about the server, and the bots that poll. On the executor's thread.
#include "agent/flow/start/execution_intake.hpp"
#include "net/http_server.hpp"
#include "server/api/metrics.hpp"
#include "server/api/queue_health.hpp"
#include "server/api/reply_waiters.hpp"
#include "server/api/rest.hpp"
#include "server/app/node.hpp"
#include "server/bots/answering_flows.hpp"
#include "server/bots/intake_adapters.hpp"
#include "server/console/login.hpp"
#include "server/telegram/business_accounts.hpp"
#include "server/telegram/press_answers.hpp"

namespace postrider::server {

api::own_names own_names_of(config const& settings);
api::access_secrets secrets_of(prepared const& prepared, config const& settings);

class edge {
public:
    // The store and the node outlive it.
    edge(surroundings in, store& data, server::node& node, server::mode mode);
    edge(edge const&) = delete;
    edge& operator=(edge const&) = delete;

    // Takes the address: whoever cannot have it is to take no work either.
    base::result<void> listen();
    // Lets updates come.
    void start();
    // Takes nothing in any more; answers in flight end.
    base::awaitable<void> stop();

    std::string address() const { return server_->address(); }
    // Of the bot of this name; empty = polling.
    std::string webhook_url(std::string const& bot) const;

private:
    api::resources resources();
    net::router routes();
    api::metrics_snapshot snapshot() const;

    surroundings in_;
    store& data_;
    server::node& node_;
    server::mode mode_;

    answering_flows answering_flows_{node_.library, node_.moves};
    engine_slots slots_{*node_.engine, node_.notices.get()};
    agent::flow::execution_intake executions_{*data_.postgres.intake, slots_, in_.clock};
    telegram::messenger_press_answers press_answers_{in_.executor, *node_.messenger};
    telegram::asked_business_accounts business_accounts_{node_.bots.list(), in_.clock};
    std::unique_ptr<telegram::intake> committing_inbox_ = telegram::make_intake(
        executions_,
        node_.moves,
        answering_flows_,
        press_answers_,
        in_.clock,
        in_.random,
        telegram::usual_intake_deadline,
        std::bind_front(&server::node::stop_draft, &node_),
        &business_accounts_
    );
    counting_intake inbox_{*committing_inbox_};
    base::report_paces refused_updates_, unproven_; // without the right secret
    std::optional<api::queue_health> queue_;        // once it was read
    api::reply_waiters waiting_{*data_.postgres.watchers};
    api::rest rest_{
        data_.postgres,
        *data_.postgres.reads,
        secrets_of(data_.ready, in_.settings),
        in_.clock,
        resources()};
    console::login_desk login_{
        {*data_.postgres.console,
         api::token_mint(data_.ready.token_key),
         in_.random,
         in_.clock,
         own_names_of(in_.settings)}};
    std::unique_ptr<net::http_server> server_ =
        net::make_http_server(in_.executor, http_options_of(in_.settings), routes());
    base::task_group tasks_{in_.executor};
};

} // namespace postrider::server
