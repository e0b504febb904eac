// `sessions forget`: what agents remember of a named session.
#include "storage/stores/sessions.hpp"

#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/options.hpp"
#include "server/cli/parser/suggestion.hpp"
#include "server/cli/table.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

// Of the first 10,000 names, one look into the primary key for each, those that are about as long:
// others are not meant (base::nearest).
constexpr storage::statement names_like{"session.names_like", R"sql(
with recursive name as (
    (select session from postrider.session_message order by session limit 1)
    union all
    select (select m.session from postrider.session_message m where m.session > n.session order by m.session limit 1)
    from name n where n.session is not null)
select n.session from (select session from name where session is not null limit 10000) n
where abs(octet_length(n.session) - octet_length($1::text)) <= octet_length($1::text) / 3)sql"};

struct sessions_arguments {
    std::string session;
};

std::string session_suggestion(storage::transaction& tx, std::string const& name) {
    std::vector<std::string> names;
    for (auto const& row : tx.query(names_like, {name})) names.push_back(row.text(0));
    return suggestion(name, names);
}

void declare_sessions(option_parser& parser, sessions_arguments& args) {
    parser.add_option("NAME", args.session, "The value of the memory's session_id")->required();
}

int run_sessions(context const& in, sessions_arguments const& args) {
    std::int64_t deleted = 0;
    std::string hint;
    int const code = in_database(in, "forget the session", [&](storage::transaction& tx) {
        deleted = storage::forget_session(tx, args.session);
        hint = deleted == 0 ? session_suggestion(tx, args.session) : "";
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
    .prepare = with_options<declare_sessions, run_sessions>};

} // namespace commands

} // namespace postrider::cli
