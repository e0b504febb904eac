#include "server/app/app.hpp"

#include "agent/flow/library/library.hpp"
#include "agent/flow/run/execution.hpp"
#include "agent/flow/watch/live.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "net/http_client.hpp"
#include "net/http_server.hpp"
#include "queue/limits/limits.hpp"
#include "queue/node/engine.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/last_data.hpp"
#include "server/api/rest.hpp"
#include "server/api/routes.hpp"
#include "server/app/flow_services.hpp"
#include "server/app/maintenance.hpp"
#include "server/app/todo_service.hpp"
#include "server/bots/answering_flows.hpp"
#include "server/bots/bots.hpp"
#include "server/bots/intake_adapters.hpp"
#include "server/chat/conversation_messenger.hpp"
#include "server/chat/switchboard.hpp"
#include "server/demo/demo.hpp"
#include "server/hooks/hook_route.hpp"
#include "server/start/announcement.hpp"
#include "server/start/part_options.hpp"
#include "server/start/service_manager.hpp"
#include "server/start/start_up.hpp"
#include "server/start/stop_signals.hpp"
#include "server/start/validation_context.hpp"
#include "server/start/version.hpp"
#include "server/telegram/chat_refresh.hpp"
#include "server/telegram/press_answers.hpp"
#include "server/telegram/webhook.hpp"
#include "server/telemetry/exporter.hpp"
#include "storage/connections.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <ostream>

namespace postrider::server {

namespace {

namespace asio = boost::asio;

using namespace std::chrono_literals;

// Answers in flight end within it; the rest of a connection is not worth waiting for.
constexpr auto http_drain = 5s;

class app {
public:
    app(asio::io_context& context, config const& settings, run_options options, std::ostream& out)
        : context_(context),
          settings_(settings),
          options_(std::move(options)),
          out_(out),
          mode_(mode_of(settings_, options_.demo)) {
        for (auto& kind : agent::flow::make_executions(flow_services_))
            engine_->add(traces_.watched(std::move(kind)));
        api::watch_schema(*engine_, health_);
        health_.watch_commits([this] { return postgres_.oldest_commit(); });
    }

    base::awaitable<int> run() {
        tasks_.spawn("signals", watch_signals());
        tasks_.spawn("watchdog", manager_.keep_alive());
        auto started = co_await start();
        if (started) {
            announce();
            if (demo_) tasks_.spawn("demo", play());
            while (!stopping_) co_await stop_.wait();
        }
        co_await drain();
        if (!started) throw start_failure(started.error().detail);
        co_return exit_code_;
    }

private:
    asio::any_io_executor executor() { return context_.get_executor(); }
    std::vector<std::string> bot_names() const {
        if (mode_ == mode::demo) return {std::string(demo::bot_name)};
        return bot_names_of(settings_);
    }

    std::unique_ptr<demo> make_demo() {
        if (mode_ != mode::demo) return nullptr;
        auto terminal = terminal::chat_terminal(options_.terminal, settings_.data);
        return std::make_unique<demo>(demo_services{
            executor(), *http_, clock_, random_, out_, std::move(terminal)});
    }

    std::vector<bot_config> configured_bots() const {
        return demo_ ? std::vector{demo_->bot()} : settings_.bots;
    }

    // Empty = polling. In demo mode the simulated Telegram posts to where we really listen.
    std::string webhook_url(std::string const& bot) const {
        if (mode_ == mode::polling) return {};
        auto const path = "/telegram/" + bot;
        if (mode_ == mode::demo) {
            auto const address = server_->address();
            auto const port = address.substr(address.rfind(':') + 1);
            return address.starts_with("unix:") ? "" : "http://127.0.0.1:" + port + path;
        }
        auto base = must(net::parse_base_url(settings_.public_url), "use POSTRIDER_PUBLIC_URL");
        return base.origin + base.path + path;
    }

    agent::flow::node_services flow_services() {
        agent::flow::node_services services{
            *postgres_.reads, switchboard_, clock_, random_, limits_.get()};
        services.model = [this](auto const& selection) { return models_.find(selection); };
        services.find_flow = std::bind_front(&agent::flow::library::find, &library_);
        services.compile = [this](auto&... of) {
            return agent::flow::compile_draft(of..., types_);
        };
        services.current_version = [this](auto name) { return library_.current_version(name); };
        configure(services, settings_, *postgres_.db);
        services.watcher = [this](job_id job) { return live_.of(job); };
        services.tool_calls = &measures_.tools;
        tools_.serve(services);
        return services;
    }

    // Names that flows may refer to.
    api::flow_services api_flows() {
        api::flow_services services;
        services.validator = {&types_, validation_context_of(settings_), agents_of(settings_)};
        services.validator.context.bots = bot_names();
        services.last_data = [this](storage::database& db, std::string flow, std::string node) {
            return api::last_data(flow_services_, db, std::move(flow), std::move(node));
        };
        services.put_in_force = [this] { return library_.refresh(); };
        return services;
    }

    net::router routes() {
        auto all = api::status_routes(health_, [this] { return snapshot(); });
        all.push_back(telegram::webhook_route(bots_.list(), inbox_, random_, refused_updates_));
        auto const& secrets = settings_.secrets;
        all.push_back(hooks::hook_route({library_, secrets, executions_, waiting_, unproven_}));
        rest_.add(api::model_endpoints(models_.directory()));
        rest_.add(api::stranger_endpoints(settings_.bots));
        rest_.add(api::execution_endpoints({flow_services_, live_, types_}));
        auto& flows = flow_services_;
        rest_.add(api::conversation_endpoints(
            {library_, flows.agents, waiting_, random_, executions_, flows.reads, flows, live_}
        ));
        rest_.add(todo_.endpoints(random_));
        for (auto& route : rest_.routes()) all.push_back(std::move(route));
        return net::router(std::move(all));
    }

    api::metrics_snapshot snapshot() const {
        auto batchers = postgres_.counts();
        batchers.emplace_back("tasks", todo_.counts());
        return {
            server_->counts(),
            engine_->counts(),
            std::move(batchers),
            inbox_.counts(),
            {refused_updates_.total(), unproven_.total(), rest_.refusals()},
            rest_.counts(),
            queue_,
            notices_ ? std::optional(notices_->counts()) : std::nullopt,
            traces_.counts(),
            health_.reasons_against().empty(),
            &measures_,
            limits_->gates(),
            bots_.stopped()};
    }

    // Null when told not to listen. Hints only: polling finds everything without them.
    std::unique_ptr<storage::notices> listen_to_others() {
        if (!settings_.listen_to_others) return nullptr;
        auto options = prepared_.database.options;
        options.application = "postrider notices";
        auto heard = [this](std::string_view payload) {
            if (payload == "flows") return library_.changed();
            if (payload == "chats") return chats_.changed();
            if (payload == "asked") return engine_->beat_now();
            engine_->wake();
        };
        auto missed = [this] {
            engine_->beat_now();
            engine_->wake();
            library_.changed();
            chats_.changed();
        };
        return storage::listen(executor(), std::move(options), {}, heard, missed);
    }

    base::awaitable<base::result<void>> start() {
        auto restored = co_await messenger_->restore();
        if (!restored) co_return cannot("read what Telegram told of chats", restored.error());
        // Before anything is taken in: a message that no flow takes is let go.
        auto known = co_await library_.refresh();
        if (!known) co_return cannot("read the flows", known.error());
        auto listening = server_->start();
        if (!listening) co_return cannot_listen(listening.error());
        auto limited = co_await limits_->start(rates_of(settings_));
        if (!limited) co_return cannot("read the limits", limited.error());
        tools_.offer_tasks(todo_.caller());
        auto joined = co_await engine_->start();
        if (!joined) co_return cannot("register this node", joined.error());
        traces_.start();
        tasks_.spawn("flows", library_.keep_fresh());
        tasks_.spawn("chats", chats_.keep_fresh());
        tasks_.spawn("queue_health", api::watch_queue(*postgres_.db, queue_));
        tasks_.spawn("token_uses", rest_.keep_noting_token_uses());
        tasks_.spawn("memory", base::keep_heap_small());
        tasks_.spawn("maintenance", keep_tidy(*postgres_.maintenance, retention_of(settings_)));
        bots_.start(inbox_, [this](auto const& name) { return webhook_url(name); });
        co_return base::result<void>{};
    }

    void announce() {
        announcement ready;
        ready.version = this_version().product;
        ready.address = server_->address();
        ready.mode = mode_;
        for (auto const* bot : bots_.list()) ready.bots.push_back(announced(bot->settings));
        auto const& model = settings_.agents.at(bots_.first().settings.agent).models.front();
        ready.model = models_.configured(model).name();
        ready.rules = models_.is_built_in(model) && settings_.lacks_model;
        if (auto const& cluster = prepared_.database.cluster)
            ready.private_cluster = cluster->folder();
        ready.admin_token_file = prepared_.admin.file;
        if (prepared_.admin.created && options_.to_terminal)
            ready.new_admin_token = prepared_.admin.value.reveal();
        if (options_.say.empty()) out_ << to_text(ready) << std::flush;
        base::give_back_start_memory();
        manager_.ready();
        base::log::info("server.ready", {{"address", ready.address}, {"model", ready.model}});
    }

    announced_bot announced(telegram::bot_settings const& bot) const {
        return {bot.name, webhook_url(bot.name), !bot.allowlist.empty()};
    }

    // The person in the terminal, or what --say says.
    base::awaitable<void> play() {
        auto count = [this]() -> demo::turns {
            auto const now = engine_->counts();
            return {now.completed + now.failed + now.cancelled, now.parked, now.busy};
        };
        if (options_.say.empty()) co_return demo_->talk(count, *postgres_.console);
        exit_code_ = co_await demo_->say_all(options_.say, count) ? 0 : 1;
        stop();
    }

    void stop() {
        if (demo_) demo_->leave_terminal();
        stopping_ = true;
        stop_.notify();
    }

    base::awaitable<void> watch_signals() {
        int const number = co_await signals_.next();
        base::log::info(
            "server.draining", {{"signal", number}, {"limit", settings_.drain_timeout}}
        );
        stop();
        (void)co_await signals_.next();
        // Every commit is whole: a process that ends here has crashed, and crashes lose nothing.
        base::log::warn("server.quit");
        if (prepared_.database.cluster) prepared_.database.cluster->stop();
        std::_Exit(1);
    }

    // What takes work in stops first, what the others need stops last.
    base::awaitable<void> drain() {
        health_.begin_drain();
        manager_.stopping();
        co_await bots_.stop();
        waiting_.close();
        server_->stop_accepting();
        co_await server_->drain(http_drain);
        co_await press_answers_.close();
        co_await engine_->drain(settings_.drain_timeout);
        co_await traces_.close();
        co_await bots_.close();
        co_await limits_->stop();
        if (demo_) co_await demo_->stop();
        tasks_.cancel();
        co_await tasks_.join();
        co_await tools_.close();
        http_->close();
        if (notices_) notices_->close();
        co_await todo_.caller().close();
        todo_.close();
        postgres_.close();
        base::log::info("server.stopped");
    }

    asio::io_context& context_;
    config const& settings_;
    run_options options_;
    std::ostream& out_;
    mode mode_;
    base::clock& clock_ = base::system_clock();
    base::random_source& random_ = base::system_random();
    stop_signals signals_{executor()};
    service_manager manager_{options_.notify_socket, options_.watchdog};

    prepared prepared_ = prepare(settings_, bot_names(), mode_, random_);
    storage::connections postgres_ =
        storage::connect(executor(), prepared_.database.options, [this](auto const& reason) {
            health_.commits_refused(reason);
        });
    telemetry::measures measures_;
    std::unique_ptr<queue::limiter> limits_ =
        queue::make_limiter(executor(), *postgres_.quick, clock_);
    std::unique_ptr<queue::engine> engine_ = queue::make_engine(
        executor(),
        {*postgres_.checkpoints,
         *postgres_.quick,
         *postgres_.beats,
         *postgres_.db,
         clock_,
         random_,
         limits_.get(),
         [this] { health_.database_answered(); },
         &measures_.engine},
        engine_options_of(settings_)
    );
    std::unique_ptr<net::http_client> http_ = net::make_http_client(executor());
    telemetry::exporter traces_{
        {executor(), prepared_.database.options, *http_, clock_, random_},
        settings_.telemetry,
        telemetry::model_names(settings_)};
    flow_models models_{settings_, *http_, clock_, &measures_.models};
    agent::flow::catalog types_ = agent::flow::builtin_types();
    agent::flow::library library_{executor(), *postgres_.db, types_, library_options_of(settings_)};
    answering_flows answering_flows_{library_};
    agent::flow::live live_{executor()};

    std::unique_ptr<demo> demo_ = make_demo(); // null in the other modes
    bots bots_{
        {executor(), *http_, clock_, random_, *postgres_.db, *limits_, *engine_, &measures_.bots},
        configured_bots(),
        prepared_.bots};
    tool_services tools_{executor(), settings_, bots_, *http_, clock_};
    telegram::chat_moves moves_{bots_.list()};
    std::unique_ptr<telegram::telegram_messenger> messenger_ =
        telegram::make_messenger(bots_.list(), moves_, clock_, *postgres_.db);
    telegram::chat_refresh chats_{executor(), *messenger_};
    chat::conversation_messenger conversations_{*postgres_.checkpoints, *postgres_.reads, random_};
    chat::switchboard switchboard_{*messenger_, conversations_};
    agent::flow::node_services flow_services_ = flow_services();
    std::unique_ptr<storage::notices> notices_ = listen_to_others();
    engine_slots slots_{*engine_, notices_.get()};
    agent::flow::execution_intake executions_{*postgres_.intake, slots_, clock_};
    telegram::messenger_press_answers press_answers_{executor(), *messenger_};
    std::unique_ptr<telegram::intake> committing_inbox_ = telegram::make_intake(
        executions_, moves_, answering_flows_, press_answers_, clock_, random_
    );
    counting_intake inbox_{*committing_inbox_};

    base::report_pace refused_updates_, unproven_; // without the right secret
    std::optional<api::queue_health> queue_;       // once it was read
    api::health health_{clock_, this_version().schema};
    reply_waiters waiting_{*postgres_.watchers};
    todo_service todo_{executor(), prepared_.database.options, *postgres_.reads, settings_};
    api::rest rest_{
        postgres_, *postgres_.reads, secrets_of(prepared_), clock_, random_, api_flows()};
    std::unique_ptr<net::http_server> server_ =
        net::make_http_server(executor(), http_options_of(settings_), routes());
    base::task_group tasks_{executor()};
    base::signal stop_{executor()};
    bool stopping_ = false;
    int exit_code_ = 0;
};

} // namespace

int serve(config const& settings, run_options options, std::ostream& out) {
    asio::io_context context(1);
    std::exception_ptr failure;
    int exit_code = 0;
    try {
        app whole(context, settings, std::move(options), out);
        asio::co_spawn(context, whole.run(), [&](std::exception_ptr e, int code) {
            failure = e;
            exit_code = code;
        });
        context.run();
    } catch (start_stopped const&) {
        base::log::info("server.stopped");
    }
    if (failure) std::rethrow_exception(failure);
    return exit_code;
}

} // namespace postrider::server
