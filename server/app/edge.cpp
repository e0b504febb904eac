#include "server/app/edge.hpp"

#include "server/api/last_data.hpp"
#include "server/api/routes.hpp"
#include "server/console/assets.hpp"
#include "server/console/own_pages.hpp"
#include "server/hooks/form_route.hpp"
#include "server/hooks/hook_route.hpp"
#include "server/hooks/resume_route.hpp"
#include "server/start/validation_context.hpp"
#include "server/telegram/webhook.hpp"

namespace postrider::server {

namespace {

using namespace std::chrono_literals;

// Answers in flight end within it; the rest of a connection is not worth waiting for.
constexpr auto http_drain = 5s;

} // namespace

api::own_names own_names_of(config const& settings) {
    return {hosts_of(settings), https_authority_of(settings)};
}

api::access_secrets secrets_of(prepared const& prepared, config const& settings) {
    return {
        prepared.admin.value,
        api::token_mint(prepared.token_key),
        prepared.person,
        own_names_of(settings)};
}

edge::edge(surroundings in, store& data, server::node& node, server::mode mode)
    : in_(std::move(in)),
      data_(data),
      node_(node),
      mode_(mode) {}

base::result<void> edge::listen() {
    auto listening = server_->start();
    if (!listening) return cannot_listen(listening.error());
    return {};
}

void edge::start() {
    tasks_.spawn("queue_health", api::watch_queue(*data_.postgres.db, queue_));
    tasks_.spawn("token_uses", rest_.keep_noting_token_uses());
    tasks_.spawn("groups", node_.groups_of_bots->keep_looking());
    if (auto* const servers = node_.flow_services.servers)
        tasks_.spawn("mcp_failing", servers->keep_asking_failing());
    node_.bots.start(
        inbox_,
        std::bind_front(&edge::webhook_url, this),
        std::bind_front(&answering_flows::watched_events, &answering_flows_)
    );
}

base::awaitable<void> edge::stop() {
    co_await node_.bots.stop();
    waiting_.close();
    server_->stop_accepting();
    co_await server_->drain(http_drain);
    co_await press_answers_.close();
    tasks_.cancel();
    co_await tasks_.join();
}

// In demo mode the simulated Telegram posts to where we really listen.
std::string edge::webhook_url(std::string const& bot) const {
    if (mode_ == mode::polling) return {};
    auto const path = "/telegram/" + bot;
    if (mode_ == mode::demo) {
        auto const port = address().substr(address().rfind(':') + 1);
        return address().starts_with("unix:") ? "" : "http://127.0.0.1:" + port + path;
    }
    auto base = must(net::parse_base_url(in_.settings.public_url), "use POSTRIDER_PUBLIC_URL");
    return base.origin + base.path + path;
}

api::resources edge::resources() {
    auto& flows = node_.flow_services;
    api::resources result{in_.random};
    result.flows.validator = {
        &node_.types, validation_context_of(in_.settings), agents_of(in_.settings)};
    result.flows.validator.context.names["bot"] = bot_names_of(in_.settings, mode_);
    result.flows.last_data = [&flows](storage::database& db, std::string flow, std::string node) {
        return api::last_data(flows, db, std::move(flow), std::move(node));
    };
    result.flows.put_in_force = [this] { return node_.library.refresh(); };
    result.demo = in_.demo;
    result.models = &node_.models.directory();
    result.bots = &in_.settings.bots;
    result.executions.emplace(api::execution_services{flows, node_.live, node_.types});
    result.conversations.emplace(api::conversation_services{
        node_.library,
        flows.agents,
        waiting_,
        in_.random,
        executions_,
        flows.reads,
        flows,
        node_.live});
    result.todo.emplace(node_.todo.for_api(in_.random));
    if (flows.servers)
        result.installed.emplace(api::installation{
            in_.settings,
            *flows.servers,
            [this] { return node_.bots.states(); },
            &in_.shown_settings,
            node_.setup_of_bots.get(),
            node_.groups_of_bots.get()});
    return result;
}

net::router edge::routes() {
    auto router = console::under_own_names(console::asset_routes(), own_names_of(in_.settings));
    for (auto& route : api::status_routes(in_.health, [this] { return snapshot(); }))
        router.push_back(std::move(route));
    router.push_back(
        telegram::webhook_route(node_.bots.list(), inbox_, in_.random, refused_updates_)
    );
    router.push_back(
        hooks::hook_route({node_.library, in_.settings.secrets, executions_, waiting_, unproven_})
    );
    for (auto& route : hooks::form_routes(
             {node_.library, executions_, waiting_, in_.random, own_names_of(in_.settings)}
         ))
        router.push_back(std::move(route));
    for (auto& route : hooks::resume_routes(*data_.postgres.db)) router.push_back(std::move(route));
    for (auto& route : login_.routes()) router.push_back(std::move(route));
    for (auto& route : rest_.routes()) router.push_back(std::move(route));
    return net::router(std::move(router));
}

api::metrics_snapshot edge::snapshot() const {
    auto batchers = data_.postgres.counts();
    batchers.emplace_back("tasks", node_.todo.counts());
    auto const& notices = node_.notices;
    return {
        server_->counts(),
        node_.engine->counts(),
        std::move(batchers),
        inbox_.counts(),
        {refused_updates_.total(), unproven_.total(), rest_.refusals(), login_.refusals()},
        rest_.counts(),
        queue_,
        notices ? std::optional(notices->counts()) : std::nullopt,
        node_.traces.counts(),
        in_.health.reasons_against().empty(),
        &node_.measures,
        node_.limits->gates(),
        node_.bots.stopped(),
        rest_.streams()};
}

} // namespace postrider::server
