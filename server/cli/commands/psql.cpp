// `psql`: opens the configured database in Postgres' own terminal. The private cluster runs as long
// as that does.
#include "server/cli/database_work.hpp"
#include "server/cli/options.hpp"
#include "server/start/local_database.hpp"
#include "storage/client_environment.hpp"

#include <csignal>
#include <ostream>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace postrider::cli {

namespace {

struct psql_arguments {
    std::vector<std::string> rest;
};

void declare_psql(option_parser& parser, psql_arguments& args) {
    parser.add_option("ARGUMENTS", args.rest, "psql's own, behind --")->type_name("");
}

constexpr int no_such_program = 127; // as of a shell

// Only what may be done between fork() and exec(): everything was made before.
[[noreturn]] void become(std::vector<char*> const& words, std::vector<char*> const& variables) {
    ::execvpe(words.front(), words.data(), variables.data());
    ::_exit(no_such_program);
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size());
    for (auto& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

// Names without a schema mean ours; search_path is not part of a URL. Older pooling proxies refuse a
// connection that says so.
std::vector<std::string> environment_of(
    context const& in, std::map<std::string, std::string> const& connection, bool takes_options
) {
    auto variables = in.environment;
    auto options = variables["PGOPTIONS"];
    if (takes_options)
        options += std::string(options.empty() ? "" : " ") + "-c search_path=postrider,public";
    for (auto const& [name, value] : connection)
        if (name == "PGOPTIONS")
            options.append(" ").append(value);
        else
            variables[name] = value;
    variables.erase("PGOPTIONS");
    if (!options.empty()) variables["PGOPTIONS"] = options;
    std::vector<std::string> texts;
    texts.reserve(variables.size());
    for (auto const& [name, value] : variables) texts.emplace_back(name).append("=").append(value);
    return texts;
}

// Ctrl-C is psql's meanwhile.
int run_to_end(std::vector<std::string> words, std::vector<std::string> variables) {
    auto const psql_arguments = pointers_to(words);
    auto const environment = pointers_to(variables);
    auto const before = std::signal(SIGINT, SIG_IGN);
    auto const child = ::fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (child == 0) {
        std::signal(SIGINT, SIG_DFL);
        std::signal(SIGPIPE, SIG_DFL);
        become(psql_arguments, environment);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    std::signal(SIGINT, before);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int run_psql(context const& in, psql_arguments const& args) {
    auto const db = open_database(in);
    if (!db) return fail(in, "open the database", db.error());
    auto const connection = storage::client_environment(db->options.url);
    if (!connection) return fail(in, "start psql", connection.error());
    std::vector<std::string> words{"psql"};
    if (!connection->words.empty()) words.insert(words.end(), {"--dbname", connection->words});
    words.insert(words.end(), args.rest.begin(), args.rest.end());
    int const code = run_to_end(
        std::move(words), environment_of(in, connection->variables, db->options.prepared)
    );
    if (code == no_such_program)
        in.err << "postrider: there is no psql here: install the package postgresql-client\n";
    return code == 0 ? 0 : 1;
}

} // namespace

namespace commands {

extern constinit command const psql{
    .path = "psql",
    .summary = "Open the database in psql, the schema postrider first",
    .example = R"(postrider psql
postrider psql -- -c "select * from dead_letters")",
    .prepare = with_options<declare_psql, run_psql>,
    .json = false};

} // namespace commands

} // namespace postrider::cli
