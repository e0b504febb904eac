#include "server/app/app.hpp"

#include "base/log.hpp"
#include "base/memory.hpp"
#include "server/api/console_link.hpp"
#include "server/app/edge.hpp"
#include "server/demo/demo.hpp"
#include "server/start/service_manager.hpp"
#include "server/start/stop_signals.hpp"
#include "server/start/version.hpp"
#include "storage/stores/audit.hpp"
#include "storage/transact.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <ostream>

namespace postrider::server {

namespace {

namespace asio = boost::asio;

class app {
public:
    app(asio::io_context& context, config const& settings, run_options options, std::ostream& out)
        : executor_(context.get_executor()),
          settings_(settings),
          options_(std::move(options)),
          out_(out),
          mode_(mode_of(settings_, options_.demo)) {}

    base::awaitable<int> run() {
        tasks_.spawn("signals", watch_signals());
        tasks_.spawn("watchdog", manager_.keep_alive());
        std::exception_ptr failure;
        try {
            co_await start_and_wait();
        } catch (...) {
            failure = std::current_exception();
        }
        co_await stop();
        if (failure) std::rethrow_exception(failure);
        co_return exit_code_;
    }

private:
    base::awaitable<void> start_and_wait() {
        auto const started = co_await start();
        if (!started) throw start_failure(started.error().detail);
        co_await announce();
        if (demo_) tasks_.spawn("demo", play());
        while (!stopping_) co_await stop_asked_.wait();
    }

    // The store has started when it was made.
    base::awaitable<base::result<void>> start() {
        auto learned = co_await node_.learn();
        if (!learned) co_return learned;
        if (demo_ && options_.say.empty())
            co_await demo_->recall(store_.postgres, node_.bots.first().settings.id);
        auto listening = edge_.listen();
        if (!listening) co_return listening;
        auto started = co_await node_.start();
        if (!started) co_return started;
        edge_.start();
        co_return base::result<void>{};
    }

    // What takes work in stops first, what the others need stops last.
    base::awaitable<void> stop() {
        health_.begin_drain();
        manager_.stopping();
        co_await edge_.stop();
        co_await node_.stop();
        if (demo_) co_await demo_->stop();
        tasks_.cancel();
        co_await tasks_.join();
        http_->close();
        store_.stop();
        base::log::info("server.stopped");
    }

    std::unique_ptr<demo> make_demo() {
        if (mode_ != mode::demo) return nullptr;
        auto const zone = base::find_time_zone(settings_.timezone).value();
        auto typing = terminal::chat_terminal(options_.terminal, settings_.data);
        return std::make_unique<demo>(demo_services{
            executor_, *http_, in_.clock, in_.random, out_, std::move(typing), zone});
    }

    surroundings with(demo* chat) const {
        auto all = in_;
        all.demo = chat;
        return all;
    }

    // A link for the person in the terminal; empty where there is none.
    base::awaitable<std::string> make_console_link() {
        auto const base = api::console_base(settings_.public_url, edge_.address());
        if (!options_.to_terminal || !options_.say.empty() || base.empty()) co_return std::string();
        auto make = [key = store_.ready.token_key,
                     person = store_.ready.person](storage::transaction& tx) {
            storage::act_as(tx, "postrider");
            constexpr auto role = storage::token_role::owner;
            api::token_mint const mint(key);
            auto token = mint.make_token(base::system_random(), api::token_kind::link);
            return api::make_link(tx, std::move(token), role, person);
        };
        auto const link = co_await storage::transact(
            *store_.postgres.console,
            "console.start_link",
            std::move(make),
            api::database_waits.token
        );
        if (link) co_return api::url_of(base, link->token, demo_ ? "/demo" : "");
        base::log::warn("console.no_link", {{"error", link.error()}});
        co_return std::string();
    }

    base::awaitable<void> announce() {
        announcement ready;
        ready.console_link = co_await make_console_link();
        ready.version = this_version().product;
        ready.address = edge_.address();
        ready.mode = mode_;
        for (auto const* bot : node_.bots.list()) ready.bots.push_back(announced(bot->settings));
        auto const& model = settings_.agents.at(node_.bots.first().settings.agent).models.front();
        ready.model = node_.models.configured(model).name();
        ready.rules = node_.models.is_built_in(model) && settings_.lacks_model;
        if (auto const& cluster = store_.ready.database.cluster)
            ready.private_cluster = cluster->folder();
        auto const& admin = store_.ready.admin;
        ready.admin_token_file = admin.file;
        if (admin.created && options_.to_terminal) ready.new_admin_token = admin.value.reveal();
        if (options_.say.empty()) out_ << to_text(ready) << std::flush;
        base::give_back_start_memory();
        manager_.ready();
        base::log::info("server.ready", {{"address", ready.address}, {"model", ready.model}});
    }

    announced_bot announced(telegram::bot_settings const& bot) const {
        return {bot.name, edge_.webhook_url(bot.name), !bot.allowlist.empty()};
    }

    // The person in the terminal, or what --say says.
    base::awaitable<void> play() {
        auto count = [this]() -> demo::turns {
            auto const now = node_.engine->counts();
            return {now.completed + now.failed + now.cancelled, now.parked, now.busy};
        };
        if (options_.say.empty()) co_return demo_->talk(count, *store_.postgres.console);
        exit_code_ = co_await demo_->say_all(options_.say, count) ? 0 : 1;
        ask_to_stop();
    }

    void ask_to_stop() {
        if (demo_) demo_->leave_terminal();
        stopping_ = true;
        stop_asked_.notify();
    }

    base::awaitable<void> watch_signals() {
        int const number = co_await signals_.next();
        base::log::info(
            "server.draining", {{"signal", number}, {"limit", settings_.drain_timeout}}
        );
        ask_to_stop();
        (void)co_await signals_.next();
        // Every commit is whole: a process that ends here has crashed, and crashes lose nothing.
        base::log::warn("server.quit");
        if (auto const& cluster = store_.ready.database.cluster) cluster->stop();
        std::_Exit(1);
    }

    asio::any_io_executor executor_;
    config const& settings_;
    run_options options_;
    std::ostream& out_;
    mode mode_;
    stop_signals signals_{executor_};
    service_manager manager_{options_.notify_socket, options_.watchdog};

    api::health health_{base::system_clock(), this_version().schema};
    std::unique_ptr<net::http_client> http_ = net::make_http_client(executor_);
    surroundings in_{
        executor_,
        settings_,
        base::system_clock(),
        base::system_random(),
        *http_,
        health_,
        options_.shown_settings};
    store store_{in_, bot_names_of(settings_, mode_), mode_};
    std::unique_ptr<demo> demo_ = make_demo(); // null in the other modes
    surroundings around_ = with(demo_.get());
    node node_{around_, store_, demo_ ? std::vector{demo_->bot()} : settings_.bots};
    edge edge_{around_, store_, node_, mode_};

    base::task_group tasks_{executor_};
    base::signal stop_asked_{executor_};
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
            failure = std::move(e);
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
