// `mcp todo`: the todo server on standard input and output, for a program that starts it and speaks
// the Model Context Protocol: one message per line. Whose tasks these are is said at the start.
#include "server/app/todo_service.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/log_setup.hpp"
#include "server/cli/options.hpp"
#include "server/cli/table.hpp"
#include "server/start/local_database.hpp"
#include "server/terminal/line_reader.hpp"
#include "storage/migrations.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include <charconv>
#include <ostream>
#include <unistd.h>

namespace postrider::cli {

namespace {

constexpr std::string_view user_variable = "TODO_USER";

struct mcp_todo_arguments {
    std::int64_t user = 0;
};

void declare_mcp_todo(option_parser& parser, mcp_todo_arguments& args) {
    parser.add_option("--user", args.user, "Whose tasks: the user's Telegram id; or TODO_USER")
        ->check(id_number())
        ->type_name("ID");
}

// invalid: neither the option nor the variable says it.
base::result<user_id> user_of(context const& in, mcp_todo_arguments const& args) {
    if (args.user > 0) return user_id{args.user};
    auto const variable = in.environment.find(std::string(user_variable));
    if (variable == in.environment.end() || variable->second.empty())
        return base::error(
            base::errc::invalid, "--user or TODO_USER says whose tasks these are: a Telegram id"
        );
    std::string_view const text = variable->second;
    std::int64_t user = 0;
    auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), user);
    if (ec != std::errc() || end != text.data() + text.size() || user <= 0)
        return base::error(
            base::errc::invalid,
            fmt::format(
                "TODO_USER is {}, which is no Telegram id; --user says it as well",
                one_line(text, 40)
            )
        );
    return user_id{user};
}

// Until the input ends. A message is answered before the next is read.
base::awaitable<void> converse_mcp(
    terminal::line_reader& lines, agent::mcp::server const& server, user_id user, std::ostream& out
) {
    agent::mcp::served_session session{user};
    while (auto line = co_await lines.next()) {
        if (line->find_first_not_of(" \t\r") == line->npos) continue;
        auto const answer = co_await agent::mcp::answer_text(server, std::move(*line), session);
        if (!answer) continue;
        out << agent::mcp::to_text(*answer) << '\n' << std::flush;
        if (!out) co_return;
    }
}

void serve_todo(
    storage::database_options const& database,
    server::config const& settings,
    user_id user,
    std::ostream& out
) {
    boost::asio::io_context loop(1);
    storage::batcher_options options;
    options.name = "reads";
    options.read_only = true;
    auto const reads = storage::make_batcher(loop.get_executor(), database, std::move(options));
    server::todo_service todo(loop.get_executor(), database, *reads, settings);
    terminal::line_reader lines(loop.get_executor(), STDIN_FILENO);
    std::exception_ptr failure;
    boost::asio::co_spawn(
        loop,
        converse_mcp(lines, todo.server(), user, out),
        [&](std::exception_ptr e) {
            failure = e;
            loop.stop();
        }
    );
    loop.run();
    todo.close();
    reads->close();
    if (failure) std::rethrow_exception(failure);
}

int run_mcp_todo(context const& in, mcp_todo_arguments const& args) {
    auto const user = user_of(in, args);
    if (!user) return usage(in, user.error().detail);
    configure_log(in, true);
    auto const db = server::open_local_database(
        in.configured.values, "postrider mcp", server::absent_cluster::make
    );
    if (!db) return fail(in, "open the database", db.error());
    if (auto const migrated = storage::migrate(db->options); !migrated)
        return fail(in, "prepare the database", migrated.error());
    serve_todo(db->options, in.configured.values, *user, in.out);
    return 0;
}

} // namespace

namespace commands {

extern constinit command const mcp_todo{
    .path = "mcp todo",
    .summary = "Serve one person's tasks on standard input and output",
    .example = "postrider mcp todo --user 923847",
    .prepare = with_options<declare_mcp_todo, run_mcp_todo>,
    .json = false};

} // namespace commands

} // namespace postrider::cli
