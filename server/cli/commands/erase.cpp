// `erase`: one person's words, from every place where they stand.
#include "agent/flow/nodes/person_erasure.hpp"
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/options.hpp"
#include "server/cli/table.hpp"
#include "server/start/local_database.hpp"
#include "storage/stores/business.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <iostream>
#include <map>
#include <unistd.h>

namespace postrider::cli {

namespace {

namespace json = boost::json;

struct erase_arguments {
    std::int64_t user = 0;
    bool yes = false;
};

using erased_counts = std::map<std::string, std::int64_t>;

void declare_erase(option_parser& parser, erase_arguments& args) {
    parser.add_option("--user", args.user, "The person's Telegram id")
        ->required()
        ->check(id_number())
        ->type_name("ID");
    parser.add_flag("--yes", args.yes, "Do not ask");
}

bool erasure_confirmed(context const& in, std::int64_t user) {
    in.err << fmt::format("Clear all words of user {}, for good? [y/N] ", user) << std::flush;
    std::string answer;
    return std::getline(std::cin, answer) && (answer == "y" || answer == "yes");
}

// Until its last page.
base::result<void> clear(
    storage::database_options const& database,
    storage::erasure_place place,
    user_id person,
    erased_counts& cleared
) {
    constexpr int rows_of_a_page = 1000;
    storage::erasure_page page;
    do {
        auto const after = page.goes_on;
        auto page_cleared = storage::run_blocking(database, [&](storage::transaction& tx) {
            act_as_operator(tx);
            page = agent::flow::erase_person(tx, place, person, after, rows_of_a_page);
        });
        if (!page_cleared) return told(database, page_cleared.error());
        for (auto const& [name, rows] : page.cleared) cleared[name] += rows;
    } while (page.goes_on);
    return base::result<void>{};
}

// The person, and what stands for them in chats of business accounts.
base::result<std::vector<user_id>> ids_of(storage::database_options const& database, user_id user) {
    std::vector<user_id> ids;
    auto read = storage::run_blocking(database, [&](storage::transaction& tx) {
        ids = storage::business_numbers(tx, user);
    });
    if (!read) return told(database, read.error());
    ids.push_back(user);
    return ids;
}

std::int64_t taken(erased_counts& counts, std::string const& name) {
    auto const count = counts.extract(name);
    return count.empty() ? 0 : count.mapped();
}

struct leftover {
    std::int64_t running = 0; // turns that a worker has
    std::int64_t unknown = 0; // messages
    std::int64_t quoted = 0;  // texts beside the audit
};

void tell(context const& in, erased_counts const& cleared, leftover const& leftovers) {
    std::vector<cells> lines;
    for (auto const& [name, rows] : cleared)
        if (rows > 0) lines.push_back({name, std::to_string(rows)});
    if (!lines.empty())
        in.out << table({"table", "cleared"}, lines);
    else if (leftovers.running == 0)
        in.err << "Nothing of this person is there.\n";
    if (leftovers.unknown > 0)
        in.err << fmt::format(
            "{} messages in named sessions have no known author: their jobs are deleted. "
            "postrider sessions forget deletes a session.\n",
            leftovers.unknown
        );
    if (leftovers.quoted > 0)
        in.err << fmt::format(
            "{} stored questions of other people's turns in groups may quote this person; "
            "retention.messages deletes them.\n",
            leftovers.quoted
        );
}

int run_erase(context const& in, erase_arguments const& args) {
    auto const db = open_database(in);
    if (!db) return fail(in, "open the database", db.error());
    bool const can_ask = isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
    if (!args.yes && !can_ask) return usage(in, "it is for good; add --yes");
    if (!args.yes && !erasure_confirmed(in, args.user)) {
        in.err << "Nothing was changed.\n";
        return 1;
    }
    erased_counts cleared;
    auto const ids = ids_of(db->options, user_id{args.user});
    if (!ids) return fail(in, "erase it", ids.error());
    for (auto const person : *ids)
        for (auto const place : storage::erasure_places) {
            auto const done = clear(db->options, place, person, cleared);
            if (!done) return fail(in, "erase all of it; what was cleared stays so", done.error());
        }
    leftover const leftovers{
        taken(cleared, "running"), taken(cleared, "unknown"), taken(cleared, "quoted")};
    if (in.json) {
        json::object tables;
        for (auto const& [name, rows] : cleared) tables[name] = rows;
        in.out << base::json_text(json::object{
                      {"user", args.user},
                      {"cleared", std::move(tables)},
                      {"running", leftovers.running},
                      {"unknown", leftovers.unknown},
                      {"quoted", leftovers.quoted}})
               << '\n';
    } else {
        tell(in, cleared, leftovers);
    }
    if (leftovers.running == 0) return 0;
    in.err << fmt::format(
        "postrider: {} asked to stop; run this again.\n",
        leftovers.running == 1 ? "1 turn is running and was"
                               : fmt::format("{} turns are running and were", leftovers.running)
    );
    return 1;
}

} // namespace

namespace commands {

extern constinit command const erase{
    .path = "erase",
    .summary = "Clear a person's words from every place where they stand",
    .example = R"(postrider erase --user 923847
postrider erase --user 923847 --yes --json)",
    .prepare = with_options<declare_erase, run_erase>};

} // namespace commands

} // namespace postrider::cli
