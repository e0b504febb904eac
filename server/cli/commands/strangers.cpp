// `strangers list`: who wrote to a bot and may not.
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/listing.hpp"
#include "server/cli/options.hpp"
#include "server/cli/parser/suggestion.hpp"
#include "server/cli/table.hpp"
#include "server/views/stranger_json.hpp"
#include "storage/stores/bots.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>

namespace postrider::cli {

namespace {

struct strangers_arguments {
    std::string bot;
    int limit = 20;
    std::string cursor;
};

void declare_strangers(option_parser& parser, strangers_arguments& args) {
    parser.add_option("--bot", args.bot, "Only of this bot")->type_name("NAME");
    add_limit(parser, args.limit);
    add_cursor(parser, args.cursor);
}

std::string strangers_text(
    std::vector<storage::known_stranger> const& strangers,
    std::vector<server::bot_config> const& bots
) {
    std::vector<cells> lines;
    for (auto const& stranger : strangers) {
        auto const admission = server::admission_of(stranger, bots);
        lines.push_back(
            {base::to_string(stranger.user),
             one_line(stranger.name, 40),
             stranger.bot,
             base::to_string(stranger.chat),
             std::to_string(stranger.refused),
             stranger.last_seen_at.substr(0, 19) + "Z",
             fmt::format("{} {}", admission.setting, admission.id)}
        );
    }
    return table({"user", "name", "bot", "chat", "refused", "last", "let in by"}, lines);
}

// A bot that neither the configuration nor the database has is likely a slip.
std::optional<base::error> unknown_bot(
    context const& in, std::string const& name, std::vector<std::string> bot_names
) {
    for (auto const& bot : in.configured.values.bots) bot_names.push_back(bot.name);
    if (name.empty() || std::ranges::find(bot_names, name) != bot_names.end()) return std::nullopt;
    return base::error(
        base::errc::not_found,
        fmt::format("there is no bot {}{}", name, suggestion(name, bot_names))
    );
}

int run_strangers(context const& in, strangers_arguments const& args) {
    constexpr std::string_view doing = "read the strangers";
    auto const& bots = in.configured.values.bots;
    if (!args.cursor.empty() && !storage::is_stranger_cursor(args.cursor))
        return usage(in, "--cursor is not one that a page named");
    storage::stranger_page page;
    std::vector<std::string> names;
    int const code = in_database(in, doing, [&](storage::transaction& tx) {
        page = storage::list_strangers(tx, args.bot, args.cursor, args.limit);
        names = storage::bot_names(tx);
    });
    if (code != 0) return code;
    if (auto const unknown = unknown_bot(in, args.bot, std::move(names)))
        return fail(in, doing, *unknown);
    if (in.json) {
        in.out << base::json_text(server::strangers_json(page, bots)) << '\n';
    } else if (page.strangers.empty()) {
        in.err << (args.cursor.empty() ? "Nobody was refused.\n" : "There are no more.\n");
    } else {
        in.out << strangers_text(page.strangers, bots);
        in.err << "The setting in the last column lets them write, with that id added to it. Those "
                  "of the "
                  "bot main are POSTRIDER_ALLOWED_USERS and POSTRIDER_ALLOWED_CHATS as well.\n";
        tell_next_page(in, page.next);
    }
    return 0;
}

} // namespace

namespace commands {

extern constinit command const strangers_list{
    .path = "strangers list",
    .summary = "List strangers seen last, and how often each was refused",
    .example = "postrider strangers list",
    .prepare = with_options<declare_strangers, run_strangers>};

} // namespace commands

} // namespace postrider::cli
