#pragma once
// What runs turns in this process: the engine with its workers, and all that a flow reaches, such as
// models, tools, the library of flows and the ways to chats. The members stand in the order of their
// construction. On the executor's thread.
#include "agent/flow/catalog.hpp"
#include "agent/flow/library/library.hpp"
#include "agent/flow/watch/drafts.hpp"
#include "agent/flow/watch/live.hpp"
#include "agent/spam/store/knowledge_cache.hpp"
#include "queue/limits/limits.hpp"
#include "queue/node/engine.hpp"
#include "server/app/flow_services.hpp"
#include "server/app/store.hpp"
#include "server/app/todo_service.hpp"
#include "server/bots/bots.hpp"
#include "server/bots/telegram_groups.hpp"
#include "server/bots/telegram_setup.hpp"
#include "server/chat/conversation_messenger.hpp"
#include "server/chat/switchboard.hpp"
#include "server/start/part_options.hpp"
#include "server/telegram/chat_refresh.hpp"
#include "server/telegram/drafts.hpp"
#include "server/telemetry/exporter.hpp"
#include "server/telemetry/measures.hpp"
#include "storage/notices.hpp"

namespace postrider::server {

struct node {
    // The store outlives it. Throws start_failure.
    node(surroundings in, store& data, std::vector<bot_config> const& configured_bots);
    node(node const&) = delete;
    node& operator=(node const&) = delete;

    // What it must know before anything is taken in: a message that no flow takes is let go.
    base::awaitable<base::result<void>> learn();
    // Joins the other nodes and runs what waits.
    base::awaitable<base::result<void>> start();
    // Turns in flight may end within the drain timeout, the rest is put back unharmed. Then it calls
    // nobody any more.
    base::awaitable<void> stop();
    // Somebody wants no more of the answer: the node that writes it hears of it, if any does.
    void stop_draft(agent::address const& chat, std::int64_t number);

private:
    agent::flow::node_services make_flow_services();
    std::unique_ptr<storage::notices> listen_to_others();

    surroundings in_;
    store& data_;

public:
    telemetry::measures measures;
    std::unique_ptr<queue::limiter> limits =
        queue::make_limiter(in_.executor, *data_.postgres.quick, in_.clock);
    std::unique_ptr<queue::engine> engine = queue::make_engine(
        in_.executor,
        {*data_.postgres.checkpoints,
         *data_.postgres.quick,
         *data_.postgres.beats,
         *data_.postgres.db,
         in_.clock,
         in_.random,
         limits.get(),
         [this] { in_.health.database_answered(); },
         &measures.engine},
        engine_options_of(in_.settings)
    );
    telemetry::exporter traces{
        {in_.executor, data_.ready.database.options, in_.http, in_.clock, in_.random},
        in_.settings.telemetry,
        telemetry::model_names(in_.settings.models)};
    flow_models models{
        in_.settings,
        in_.http,
        in_.clock,
        &measures.models,
        in_.demo ? &in_.demo->next_call() : nullptr};
    std::unique_ptr<agent::embedder> embedder = // null where no vectors are in use
        make_embedder(in_.settings, data_.ready, in_.http, in_.clock);
    agent::flow::catalog types = agent::flow::builtin_types();
    agent::flow::library library{
        in_.executor, *data_.postgres.db, types, library_options_of(in_.settings)};
    agent::flow::live live{in_.executor};

    server::bots bots;
    std::unique_ptr<bot_setup> setup_of_bots = make_bot_setup(bots.list(), in_.clock);
    std::unique_ptr<group_desk> groups_of_bots = make_group_desk(bots.list());
    tool_services tools{in_.executor, in_.settings, bots, in_.http, in_.clock};
    telegram::chat_moves moves{bots.list()};
    std::unique_ptr<telegram::telegram_messenger> messenger =
        telegram::make_messenger(bots.list(), moves, in_.clock, *data_.postgres.db);
    telegram::chat_refresh chats{in_.executor, *messenger};
    chat::conversation_messenger conversations{
        *data_.postgres.checkpoints, *data_.postgres.reads, in_.random};
    chat::switchboard switchboard{*messenger, conversations};
    std::unique_ptr<agent::draft_screen> draft_screen =
        telegram::make_drafts(bots.list(), in_.clock);
    agent::flow::drafts drafts{in_.executor, *draft_screen, in_.clock};
    agent::spam::knowledge_cache spam{*data_.postgres.db};
    agent::flow::node_services flow_services = make_flow_services();
    std::unique_ptr<storage::notices> notices = listen_to_others(); // null when told not to listen
    todo_service todo{
        in_.executor, data_.ready.database.options, *data_.postgres.reads, in_.settings};

private:
    base::task_group tasks_{in_.executor};
};

} // namespace postrider::server
