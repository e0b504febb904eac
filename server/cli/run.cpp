#include "server/cli/run.hpp"

#include "base/fault.hpp"
#include "server/app.hpp"
#include "server/cli/command.hpp"
#include "storage/row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ostream>
#include <unistd.h>

namespace postrider::cli {

namespace {

void list_problems(std::ostream& err, std::vector<std::string> const& problems) {
    for (auto const& problem : problems) err << "postrider: " << problem << '\n';
    err << fmt::format(
        "{} to mend; `postrider check` prints what was understood.\n",
        problems.size() == 1 ? "One setting" : fmt::format("{} settings", problems.size())
    );
}

bool by_default(context const& in, std::string_view key) {
    return std::ranges::any_of(in.configured.effective, [&](auto const& line) {
        return line.key == key && line.source == "default";
    });
}

// The terminal belongs to the chat or to what a command prints: only what is wrong is logged there,
// unless somebody asked for more.
void configure_log(context const& in, bool quiet) {
    auto const& settings = in.configured.values;
    bool const asked = !by_default(in, "log.level");
    base::log::configure(
        quiet && !asked ? base::log::level::warn : settings.log_level, settings.log_format
    );
}

std::string_view value_of(base::environment const& environment, std::string_view name) {
    auto found = environment.find(name);
    return found == environment.end() ? std::string_view{} : std::string_view(found->second);
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

int serve(context const& in, base::environment const& environment) {
    server::run_options options;
    options.demo = in.args.command == command::demo;
    options.say = in.args.say;
    options.notify_socket = value_of(environment, "NOTIFY_SOCKET");
    options.watchdog = watchdog_of(environment);
    configure_log(in, options.demo || in.configured.values.bots.empty());
    auto settings = in.configured.values;
    if (options.demo && by_default(in, "server.listen")) settings.listen = "127.0.0.1:0";
    return server::serve(settings, std::move(options), in.out);
}

// Undefined schema, table, column or function; the text begins with its SQLSTATE. Servers and what
// changes much bring the schema up to date themselves.
bool lacks_schema(storage::database_error const& e) {
    std::string_view const text = e.what();
    return std::ranges::any_of(std::array{"3F000", "42P01", "42703", "42883"}, [&](auto state) {
        return text.starts_with(state);
    });
}

int dispatch(context const& in, base::environment const& environment) {
    switch (in.args.command) {
    case command::serve:
    case command::demo:
        return serve(in, environment);
    case command::check:
        return check(in);
    case command::migrate:
        return migrate(in);
    case command::doctor:
        return doctor(in);
    case command::health:
        return health(in);
    case command::chat:
        return chat(in);
    case command::version:
        return version(in);
    case command::jobs_list:
        return jobs_list(in);
    case command::jobs_show:
        return jobs_show(in);
    case command::jobs_tail:
        return jobs_tail(in);
    case command::jobs_operate:
        return jobs_operate(in);
    case command::lanes_list:
        return lanes_list(in);
    case command::lane_pause:
        return lane_pause(in);
    case command::lane_resume:
        return lane_resume(in);
    case command::lane_send_event:
        return lane_send_event(in);
    case command::bot_pause:
        return bot_pause(in);
    case command::bot_resume:
        return bot_resume(in);
    case command::all_pause:
        return all_pause(in);
    case command::all_resume:
        return all_resume(in);
    case command::effects_list:
        return effects_list(in);
    case command::effects_settle:
        return effects_settle(in);
    case command::schedules_list:
        return schedules_list(in);
    case command::schedules_show:
        return schedules_show(in);
    case command::schedules_set:
        return schedules_set(in);
    case command::schedules_remove:
        return schedules_remove(in);
    case command::schedules_pause:
        return schedules_pause(in);
    case command::schedules_resume:
        return schedules_resume(in);
    case command::schedules_next:
        return schedules_next(in);
    case command::webhook_set:
        return webhook_set(in);
    case command::webhook_info:
        return webhook_info(in);
    case command::webhook_delete:
        return webhook_delete(in);
    case command::token_create:
        return token_create(in);
    case command::token_list:
        return token_list(in);
    case command::token_revoke:
        return token_revoke(in);
    case command::executions_list:
        return executions_list(in);
    case command::executions_show:
        return executions_show(in);
    case command::flows_list:
        return flows_list(in);
    case command::flows_show:
        return flows_show(in);
    case command::flows_validate:
        return flows_validate(in);
    case command::flows_import:
        return flows_import(in);
    case command::flows_export:
        return flows_export(in);
    case command::flows_publish:
        return flows_publish(in);
    case command::flows_versions:
        return flows_versions(in);
    case command::flows_diff:
        return flows_diff(in);
    case command::flows_restore:
        return flows_restore(in);
    case command::flows_run:
        return flows_run(in);
    case command::flows_archive:
        return flows_archive(in);
    case command::flows_unarchive:
        return flows_unarchive(in);
    case command::flows_delete:
        return flows_delete(in);
    }
    return 2;
}

} // namespace

int fail(context const& in, std::string_view doing, base::error const& why) {
    in.err << fmt::format("postrider: cannot {}: {}\n", doing, base::to_string(why));
    return 1;
}

int no_such_job(context const& in, job_id job) {
    in.err << fmt::format(
        "postrider: there is no job {}; `postrider jobs list` shows the newest.\n", base::raw(job)
    );
    return 1;
}

int usage(context const& in, std::string_view wrong) {
    in.err << fmt::format("postrider: {}\nSee postrider --help.\n", wrong);
    return 2;
}

int run(
    std::vector<std::string> const& args,
    base::environment const& environment,
    std::ostream& out,
    std::ostream& err
) {
    auto parsed = parse_arguments(args);
    if (!parsed.values) {
        (parsed.exit_code == 0 ? out : err) << parsed.text;
        return parsed.exit_code;
    }
    auto configured =
        server::load_config({parsed.values->flags, environment, parsed.values->config_file});
    if (auto armed = base::fault::arm(configured.values.faults); !armed)
        configured.problems.push_back("faults: " + armed.error().detail);
    context const in{*parsed.values, configured, out, err};
    bool const needs_config =
        in.args.command != command::version && in.args.command != command::check;
    if (needs_config && !configured.problems.empty()) {
        list_problems(err, configured.problems);
        return 2;
    }
    configure_log(in, true);
    try {
        return dispatch(in, environment);
    } catch (storage::database_error const& e) {
        if (!lacks_schema(e)) throw;
        err << "postrider: the database has no schema of postrider, or an older one: run "
               "`postrider "
               "migrate`, or start the server\n"
            << fmt::format("({})\n", e.what());
        return 1;
    }
}

} // namespace postrider::cli
