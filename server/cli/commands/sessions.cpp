// `sessions forget`: what agents remember of a named session.
#include "storage/stores/sessions.hpp"

#include "base/json_text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/options.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

struct arguments {
    std::string session;
};

void declare(CLI::App& parser, arguments& args) {
    parser.add_option("NAME", args.session, "What session_id of the memory is there")->required();
}

int run(context const& in, arguments const& args) {
    std::int64_t deleted = 0;
    int const code = in_database(in, "forget the session", [&](storage::transaction& tx) {
        deleted = storage::forget_session(tx, args.session);
    });
    if (code != 0) return code;
    if (deleted == 0) {
        in.err << fmt::format("postrider: nothing is remembered of {}.\n", args.session);
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
