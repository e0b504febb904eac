// `spam members`: a group's members as the spam filter knows them.
#include "agent/spam/store/members.hpp"
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/listing.hpp"
#include "server/cli/spam_work.hpp"
#include "server/cli/table.hpp"
#include "server/views/spam_json.hpp"

#include <ostream>

namespace postrider::cli {

namespace {

namespace spam = agent::spam;

struct spam_members_arguments {
    std::int64_t chat = 0;
    std::string state;
    int limit = 20;
    std::string cursor;
};

void declare_spam_members(option_parser& parser, spam_members_arguments& args) {
    add_spam_chat(parser, args.chat, "The group")->required();
    parser.add_option("--state", args.state, "approved, struck (with strikes) or banned")
        ->check(word_of({"approved", "struck", "banned"}))
        ->type_name("STATE");
    add_limit(parser, args.limit);
    add_cursor(parser, args.cursor);
}

std::string moment_of(std::optional<std::string> const& at) {
    return at ? at->substr(0, 19) + "Z" : "";
}

std::string members_text(std::vector<spam::member> const& members) {
    std::vector<cells> lines;
    for (auto const& member : members)
        lines.push_back(
            {base::to_string(member.user),
             one_line(member.name, 30),
             std::to_string(member.messages),
             std::to_string(member.strikes),
             moment_of(member.approved_at),
             one_line(member.approved_by.value_or(""), 30),
             moment_of(member.banned_at)}
        );
    return table({"user", "name", "messages", "strikes", "approved", "by", "banned"}, lines);
}

int run_spam_members(context const& in, spam_members_arguments const& args) {
    spam::member_filter filter;
    filter.chat = chat_id{args.chat};
    filter.state = spam::member_state_named(args.state);
    filter.limit = args.limit;
    if (!args.cursor.empty()) {
        filter.before = server::member_place_from(args.cursor);
        if (!filter.before) return usage(in, "--cursor is not one that a page named");
    }
    std::vector<spam::member> members;
    int const code = in_database(in, "read the members", [&](storage::transaction& tx) {
        members = spam::list_members(tx, filter);
    });
    if (code != 0) return code;
    auto const page = server::spam_members_json(members, filter.limit);
    if (in.json)
        in.out << base::json_text(page) << '\n';
    else if (members.empty())
        in.err
            << (args.cursor.empty() ? "The filter knows no such member.\n" : "There are no more.\n"
               );
    else
        in.out << members_text(members);
    if (auto const* next = page.if_contains("next"))
        tell_next_page(in, std::string_view(next->as_string()));
    return 0;
}

} // namespace

namespace commands {

extern constinit command const spam_members{
    .path = "spam members",
    .summary = "List a group's members as the spam filter knows them",
    .example = R"(postrider spam members --chat -1001234567890
postrider spam members --chat -1001234567890 --state banned)",
    .prepare = with_options<declare_spam_members, run_spam_members>};

} // namespace commands

} // namespace postrider::cli
