// `serve` and `demo`: the server itself.
#include "base/log.hpp"
#include "server/app/app.hpp"
#include "server/cli/log_setup.hpp"
#include "server/cli/options.hpp"

#include <charconv>
#include <unistd.h>

namespace postrider::cli {

namespace {

std::string_view value_of(base::environment const& environment, std::string_view name) {
    auto variable = environment.find(name);
    return variable == environment.end() ? std::string_view{} : std::string_view(variable->second);
}

// systemd's watchdog, as sd_watchdog_enabled(3) tells it: not ours when it names another process.
base::duration watchdog_of(base::environment const& environment) {
    auto const process = value_of(environment, "WATCHDOG_PID");
    if (!process.empty() && process != std::to_string(::getpid())) return {};
    auto const period = value_of(environment, "WATCHDOG_USEC");
    std::int64_t microseconds = 0;
    std::from_chars(period.data(), period.data() + period.size(), microseconds);
    return std::chrono::microseconds{std::max<std::int64_t>(microseconds, 0)};
}

int run_serve(context const& in, server::run_options options) {
    options.notify_socket = value_of(in.environment, "NOTIFY_SOCKET");
    options.watchdog = watchdog_of(in.environment);
    options.terminal = value_of(in.environment, "TERM");
    options.shown_settings = in.configured.effective;
    options.to_terminal = ::isatty(STDOUT_FILENO) == 1;
    auto settings = in.configured.values;
    bool const is_demo = options.demo || settings.bots.empty();
    configure_log(in, is_demo);
    if (auto const& file = in.configured.exposed_file; !file.empty())
        base::log::warn("config.exposed_file", {{"file", file}});
    // Set up as the assistant is, unless the configuration says more.
    if (is_demo)
        settings.agents.try_emplace(
            std::string(server::demo_agent), settings.agents.at("assistant")
        );
    if (options.demo && by_default(in, "server.listen")) settings.listen = "127.0.0.1:0";
    return server::serve(settings, std::move(options), in.out);
}

int serve(context const& in) {
    return run_serve(in, {});
}

struct serve_arguments {
    std::vector<std::string> say;
};

void declare_serve(option_parser& parser, serve_arguments& args) {
    add_say(parser, args.say);
}

int demo(context const& in, serve_arguments const& args) {
    server::run_options options;
    options.demo = true;
    options.say = args.say;
    return run_serve(in, std::move(options));
}

} // namespace

namespace commands {

extern constinit command const serve{
    .path = "serve",
    .summary = "Run the server",
    .example = R"(TELEGRAM_BOT_TOKEN=123:abc POSTRIDER_ALLOWED_USERS=42 postrider serve)",
    .prepare = without_options<cli::serve>,
    .json = false};

extern constinit command const demo{
    .path = "demo",
    .summary = "Run with a simulated Telegram chat in this terminal",
    .example = R"(postrider demo --say "what is 6*7?")",
    .prepare = with_options<declare_serve, cli::demo>,
    .json = false};

} // namespace commands

} // namespace postrider::cli
