// `sessions forget`: what agents remember of a named session.
#include "storage/stores/sessions.hpp"

#include "base/json_text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/options.hpp"
#include "server/cli/suggestion.hpp"
#include "server/cli/table.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

// The first 300 names, one look into the primary key for each.
constexpr storage::statement session_names{"session.names", R"sql(
with recursive name as (
    (select session from postrider.session_message order by session limit 1)
    union all
    select (select m.session from postrider.session_message m where m.session > n.session order by m.session limit 1)
    from name n where n.session is not null)
select session from name where session is not null limit 300)sql"};

struct arguments {
    std::string session;
};

std::vector<std::string> known_sessions(storage::transaction& tx) {
    std::vector<std::string> names;
    for (auto const& row : tx.query(session_names)) names.push_back(row.text(0));
    return names;
}

void declare(CLI::App& parser, arguments& args) {
    parser.add_option("NAME", args.session, "What session_id of the memory is there")->required();
}

int run(context const& in, arguments const& args) {
    std::int64_t deleted = 0;
    std::string hint;
    int const code = in_database(in, "forget the session", [&](storage::transaction& tx) {
        deleted = storage::forget_session(tx, args.session);
        hint = deleted == 0 ? suggestion(args.session, known_sessions(tx)) : "";
    });
    if (code != 0) return code;
    if (deleted == 0) {
        in.err << fmt::format(
            "postrider: nothing is remembered of {}{}\n",
            printable(args.session),
            hint.empty() ? "." : printable(hint)
        );
        return 1;
    }
    if (in.json)
        in.out << base::json_text(boost::json::object{
                      {"session", args.session}, {"messages", deleted}})
               << '\n';
    else
        in.err << fmt::format("{} messages are forgotten.\n", deleted);
    return 0;
}

} // namespace

namespace commands {

extern constinit command const sessions_forget{
    .path = "sessions forget",
    .summary = "Delete what agents remember of a named session",
    .example = "postrider sessions forget customer-42",
    .prepare = with_options<declare, run>};

} // namespace commands

} // namespace postrider::cli
