// `strangers list`: who wrote to a bot and may not.
#include "base/json_text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/options.hpp"
#include "server/cli/table.hpp"
#include "server/views/stranger_json.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

struct arguments {
    std::string bot;
    int limit = 20;
};

void declare(CLI::App& parser, arguments& args) {
    parser.add_option("--bot", args.bot, "Only of this bot")->type_name("NAME");
    add_limit(parser, args.limit);
}

std::string to_text(std::vector<storage::known_stranger> const& strangers) {
    std::vector<cells> lines;
    for (auto const& stranger : strangers)
        lines.push_back(
            {base::to_string(stranger.user),
             one_line(stranger.name, 40),
             stranger.bot,
             base::to_string(stranger.chat),
             std::to_string(stranger.refused),
             stranger.last_seen_at.substr(0, 19) + "Z"}
        );
    return table({"user", "name", "bot", "chat", "refused", "last"}, lines);
}

int run(context const& in, arguments const& args) {
    std::vector<storage::known_stranger> strangers;
    int const code = in_database(in, "read the strangers", [&](storage::transaction& tx) {
        strangers = storage::list_strangers(tx, args.bot, args.limit);
    });
    if (code != 0) return code;
    if (in.json) {
        in.out << base::json_text(server::strangers_json(strangers)) << '\n';
    } else if (strangers.empty()) {
        in.err << "Nobody was refused.\n";
    } else {
        in.out << to_text(strangers);
        in.err << "POSTRIDER_ALLOWED_USERS (or bots.NAME.allowed_users) lets a user write.\n";
    }
    return 0;
}

} // namespace

namespace commands {

extern constinit command const strangers_list{
    .path = "strangers list",
    .summary = "Those seen last, with how often they were refused",
    .example = "postrider strangers list",
    .prepare = with_options<declare, run>};

} // namespace commands

} // namespace postrider::cli
