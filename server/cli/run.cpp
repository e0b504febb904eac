#include "server/cli/run.hpp"

#include "base/fault.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/log_setup.hpp"
#include "server/cli/parser/command_line.hpp"
#include "server/start/config.hpp"
#include "storage/row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>

namespace postrider::cli {

namespace {

void list_problems(std::ostream& err, std::vector<std::string> const& problems) {
    for (auto const& problem : problems) err << "postrider: " << problem << '\n';
    err << fmt::format(
        "{} to fix; `postrider check` prints what was understood.\n",
        problems.size() == 1 ? "One setting" : fmt::format("{} settings", problems.size())
    );
}

// Undefined schema, table, column or function; the text begins with its SQLSTATE. Servers and what
// changes much bring the schema up to date themselves.
bool lacks_schema(storage::database_error const& e) {
    std::string_view const text = e.what();
    return std::ranges::any_of(std::array{"3F000", "42P01", "42703", "42883"}, [&](auto state) {
        return text.starts_with(state);
    });
}

constexpr std::string_view file_variable = "POSTRIDER_ENV_FILE";

// Named by the option, else by the environment; else the one of the working directory, if there is one.
base::environment_file environment_file_of(std::string named, base::environment& environment) {
    if (auto const variable = environment.find(file_variable); variable != environment.end()) {
        if (named.empty()) named = variable->second;
        environment.erase(variable);
    }
    bool const required = !named.empty();
    return base::read_environment_file(required ? named : "postrider.env", required);
}

int run_command(
    std::vector<std::string> const& args,
    base::environment environment,
    std::ostream& out,
    std::ostream& err,
    command_table const& table
) {
    auto parsed = parse_command_line(args, table);
    if (!parsed.values) {
        (parsed.exit_code == 0 ? out : err) << parsed.text;
        return parsed.exit_code;
    }
    auto const& chosen = *parsed.values;
    auto file = environment_file_of(chosen.environment_file, environment);
    auto configured = server::load_config({chosen.flags, environment, file, chosen.config_file});
    environment.merge(file.values);
    if (auto armed = base::fault::arm(configured.values.faults); !armed)
        configured.problems.push_back("faults: " + armed.error().detail);
    context const in{*chosen.command, configured, environment, out, err, chosen.json};
    if (chosen.command->settings == settings_need::all_fit && !configured.problems.empty()) {
        list_problems(err, configured.problems);
        return 2;
    }
    configure_log(in, true);
    try {
        return chosen.run(in);
    } catch (storage::database_error const& e) {
        if (auto const reason = denied(e)) {
            err << fmt::format(
                "postrider: {}; `postrider check --online` shows what is missing\n", *reason
            );
            return 1;
        }
        if (!lacks_schema(e)) throw;
        err << "postrider: the database has no schema of postrider, or an older one: run "
               "`postrider migrate`, or start the server\n"
            << fmt::format("({})\n", e.what());
        return 1;
    }
}

} // namespace

int fail(context const& in, std::string_view doing, base::error const& reason) {
    in.err << fmt::format("postrider: cannot {}: {}\n", doing, base::to_string(reason));
    return 1;
}

int no_such_job(context const& in, job_id job) {
    in.err << fmt::format(
        "postrider: there is no job {}; `postrider jobs list` shows the newest.\n", base::raw(job)
    );
    return 1;
}

int usage(context const& in, std::string_view wrong) {
    in.err << fmt::format("postrider: {}\nSee postrider {} --help.\n", wrong, in.command.path);
    return 2;
}

int run(
    std::vector<std::string> const& args,
    base::environment const& environment,
    std::ostream& out,
    std::ostream& err,
    command_table const& table
) {
    int const code = run_command(args, environment, out, err, table);
    if (out.flush() || code != 0) return code;
    err << "postrider: not all of the output could be written: the disk is full, or its "
           "reader is gone\n";
    return 1;
}

} // namespace postrider::cli
