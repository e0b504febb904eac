// `spam undo`: a message was no spam.
#include "agent/moderation/by_hand.hpp"
#include "agent/spam/store/members.hpp"
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/spam_work.hpp"
#include "server/views/spam_json.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

struct spam_undo_arguments {
    std::int64_t chat = 0;
    std::int64_t message = 0;
};

void declare_spam_undo(option_parser& parser, spam_undo_arguments& args) {
    parser.add_option("MESSAGE", args.message, "The message's number in its group")->required();
    add_spam_chat(parser, args.chat, "The group")->required();
}

int run_spam_undo(context const& in, spam_undo_arguments const& args) {
    constexpr std::string_view doing = "undo it";
    chat_id const chat{args.chat};
    base::result<agent::undone_catch> undone = base::errc::internal;
    agent::spam::member author;
    int const code = in_database(in, doing, [&](storage::transaction& tx) {
        undone = agent::undo_by_hand(tx, chat, telegram_message_id{args.message});
        if (undone) author = agent::spam::find_member(tx, chat, undone->author);
    });
    if (code != 0) return code;
    if (!undone) return fail(in, doing, undone.error());
    if (in.json) {
        auto body = server::spam_member_json(author);
        body["job_id"] = undone->job ? boost::json::value(base::raw(*undone->job)) : nullptr;
        in.out << base::json_text(body) << '\n';
        return 0;
    }
    in.out << fmt::format(
        "User {} is approved in {}, and the text is a sample of ham.\n",
        base::raw(author.user),
        args.chat
    );
    if (undone->job) in.err << fmt::format("Job {} tells Telegram.\n", base::raw(*undone->job));
    return 0;
}

} // namespace

namespace commands {

extern constinit command const spam_undo{
    .path = "spam undo",
    .summary = "Say that a message was no spam: unban its author, and learn from it",
    .example = "postrider spam undo 4525 --chat -1001234567890",
    .prepare = with_options<declare_spam_undo, run_spam_undo>};

} // namespace commands

} // namespace postrider::cli
