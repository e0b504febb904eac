#include "server/app/node.hpp"

#include "agent/flow/run/execution.hpp"
#include "base/memory.hpp"
#include "server/api/console_link.hpp"
#include "server/app/maintenance.hpp"

namespace postrider::server {

node::node(surroundings in, store& data, std::vector<bot_config> const& configured_bots)
    : in_(in),
      data_(data),
      bots(
          {in.executor,
           in.http,
           in.clock,
           in.random,
           *data.postgres.db,
           *limits,
           *engine,
           &measures.bots},
          configured_bots,
          data.ready.bots
      ) {
    for (auto& kind : agent::flow::make_executions(flow_services))
        engine->add(traces.watched(std::move(kind)));
    api::watch_schema(*engine, in.health);
}

base::awaitable<base::result<void>> node::learn() {
    auto restored = co_await messenger->restore();
    if (!restored) co_return cannot("read what Telegram told of chats", restored.error());
    auto refreshed = co_await library.refresh();
    if (!refreshed) co_return cannot("read the flows", refreshed.error());
    co_return base::result<void>{};
}

base::awaitable<base::result<void>> node::start() {
    auto limited = co_await limits->start(rates_of(in_.settings));
    if (!limited) co_return cannot("read the limits", limited.error());
    tools.offer_tasks(todo.caller());
    auto joined = co_await engine->start();
    if (!joined) co_return cannot("register this node", joined.error());
    traces.start();
    tasks_.spawn("flows", library.keep_fresh());
    tasks_.spawn("chats", chats.keep_fresh());
    tasks_.spawn("memory", base::keep_heap_small());
    tasks_.spawn("maintenance", keep_tidy(*data_.postgres.maintenance, retention_of(in_.settings)));
    co_return base::result<void>{};
}

base::awaitable<void> node::stop() {
    co_await engine->drain(in_.settings.drain_timeout);
    co_await drafts.close();
    co_await traces.close();
    co_await bots.close();
    co_await limits->stop();
    tasks_.cancel();
    co_await tasks_.join();
    co_await tools.close();
    if (notices) notices->close();
    co_await todo.caller().close();
    todo.close();
}

agent::flow::node_services node::make_flow_services() {
    agent::flow::node_services services{
        *data_.postgres.reads, switchboard, in_.clock, in_.random, limits.get()};
    services.model = [this](auto const& selection) { return models.find(selection); };
    services.find_flow = std::bind_front(&agent::flow::library::find, &library);
    services.compile = [this](auto&... of) { return agent::flow::compile_draft(of..., types); };
    services.current_version = [this](auto name) { return library.current_version(name); };
    configure(services, in_.settings, *data_.postgres.db);
    services.watcher = [this](job_id job, lane_id lane) { return live.of(job, lane); };
    services.drafts = std::bind_front(&agent::flow::drafts::of, &drafts);
    services.tool_calls = &measures.tools;
    services.embedder = embedder.get();
    services.spam = &spam;
    services.links = {
        api::console_base(in_.settings.public_url, in_.settings.listen), data_.ready.token_key};
    tools.serve(services);
    return services;
}

void node::stop_draft(agent::address const& chat, std::int64_t number) {
    if (drafts.stop(chat, number) || !notices) return;
    notices->send(telegram::stop_notice(chat, number));
}

// Hints only: polling finds everything without them, but for a stop and an erasure, which are lost with their notice.
std::unique_ptr<storage::notices> node::listen_to_others() {
    if (!in_.settings.listen_to_others) return nullptr;
    auto options = data_.ready.database.options;
    options.application = "postrider notices";
    auto on_notice = [this](std::string_view payload) {
        if (payload == "flows") return library.changed();
        if (payload == "chats") return chats.changed();
        if (payload == "asked") return engine->beat_now();
        if (payload == "erased") return tools.forget_sessions();
        if (auto const stopped = telegram::read_stop_notice(payload)) {
            (void)drafts.stop(stopped->chat, stopped->number);
            return;
        }
        engine->wake();
    };
    auto missed = [this] {
        engine->beat_now();
        engine->wake();
        library.changed();
        chats.changed();
    };
    return storage::listen(in_.executor, std::move(options), {}, on_notice, missed);
}

} // namespace postrider::server
