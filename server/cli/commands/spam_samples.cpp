// `spam samples list|add|withdraw`: what the filter has learned, and how it is undone.
#include "agent/spam/store/samples.hpp"
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/listing.hpp"
#include "server/cli/spam_work.hpp"
#include "server/cli/table.hpp"
#include "server/views/spam_json.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

namespace spam = agent::spam;

struct spam_list_arguments {
    std::string kind;
    std::int64_t chat = 0;
    bool withdrawn = false;
    page listed;
};

void declare_spam_list(option_parser& parser, spam_list_arguments& args) {
    add_spam_kind(parser, args.kind);
    add_spam_chat(parser, args.chat, "Only of this group");
    parser.add_flag("--withdrawn", args.withdrawn, "Print those that were undone, too");
    add_limit(parser, args.listed.limit);
    add_cursor(parser, args.listed.cursor);
}

std::string lessons_text(std::vector<spam::stored_lesson> const& lessons) {
    std::vector<cells> lines;
    for (auto const& lesson : lessons) {
        auto const& taught = lesson.taught;
        lines.push_back(
            {std::to_string(lesson.id),
             std::string(spam::name_of(taught.kind)),
             taught.chat == spam::shared_samples ? "all" : base::to_string(taught.chat),
             std::string(spam::name_of(taught.origin)),
             one_line(taught.trained_by, 30),
             lesson.taught_at.substr(0, 19) + "Z",
             lesson.withdrawn_at ? "withdrawn" : "",
             one_line(taught.text, 60)}
        );
    }
    return table({"id", "kind", "chat", "origin", "by", "at", "", "text"}, lines);
}

int run_spam_list(context const& in, spam_list_arguments const& args) {
    spam::lesson_filter filter;
    filter.kind = spam::lesson_kind_named(args.kind);
    if (args.chat != 0) filter.chat = chat_id{args.chat};
    filter.withdrawn = args.withdrawn;
    filter.below = args.listed.cursor;
    filter.limit = args.listed.limit;
    std::vector<spam::stored_lesson> lessons;
    int const code = in_database(in, "read the samples", [&](storage::transaction& tx) {
        lessons = spam::list_lessons(tx, filter);
    });
    if (code != 0) return code;
    auto const next = std::ssize(lessons) == filter.limit ? std::to_string(lessons.back().id) : "";
    if (in.json) {
        in.out << base::json_text(server::samples_json(lessons, filter.limit)) << '\n';
        return 0;
    }
    if (lessons.empty())
        in.err << "There are no samples besides those that come with the filter.\n";
    else
        in.out << lessons_text(lessons);
    tell_next_page(in, next);
    return 0;
}

struct spam_add_arguments {
    std::string text;
    std::string kind;
    std::int64_t chat = 0;
};

void declare_spam_add(option_parser& parser, spam_add_arguments& args) {
    parser.add_option("TEXT", args.text, "The message, or the stop word")
        ->required()
        ->check(some_text());
    add_spam_kind(parser, args.kind)->required();
    add_spam_chat(parser, args.chat, "Only for this group");
}

int run_spam_add(context const& in, spam_add_arguments const& args) {
    constexpr std::string_view doing = "add the sample";
    spam::lesson const lesson{
        .chat = chat_id{args.chat},
        .kind = spam::lesson_kind_named(args.kind).value(),
        .text = args.text};
    base::result<std::int64_t> learned = std::int64_t{0};
    int const code = in_database(in, doing, [&](storage::transaction& tx) {
        learned = spam::teach(tx, lesson);
    });
    if (code != 0) return code;
    if (!learned) return fail(in, doing, learned.error());
    tell_lesson(in, *learned);
    return 0;
}

struct spam_withdraw_arguments {
    std::vector<std::int64_t> samples;
};

void declare_spam_withdraw(option_parser& parser, spam_withdraw_arguments& args) {
    parser.add_option("ID", args.samples, "The samples")->required()->check(id_number());
}

int run_spam_withdraw(context const& in, spam_withdraw_arguments const& args) {
    std::vector<std::int64_t> withdrawn, unknown;
    int const code = in_database(in, "withdraw the samples", [&](storage::transaction& tx) {
        withdrawn.clear();
        unknown.clear();
        for (auto const sample : args.samples)
            (spam::withdraw(tx, sample) ? withdrawn : unknown).push_back(sample);
    });
    if (code != 0) return code;
    if (in.json)
        in.out << base::json_text(boost::json::object{
                      {"withdrawn", boost::json::array(withdrawn.begin(), withdrawn.end())},
                      {"unknown", boost::json::array(unknown.begin(), unknown.end())}})
               << '\n';
    else
        for (auto const sample : withdrawn)
            in.out << fmt::format("Sample {} is withdrawn.\n", sample);
    for (auto const sample : unknown)
        in.err << fmt::format(
            "postrider: there is no sample {}, or it is withdrawn already\n", sample
        );
    return unknown.empty() ? 0 : 1;
}

} // namespace

namespace commands {

extern constinit command const spam_samples_list{
    .path = "spam samples list",
    .summary = "List what the spam filter has learned",
    .example = "postrider spam samples list --kind spam",
    .prepare = with_options<declare_spam_list, run_spam_list>};

extern constinit command const spam_samples_add{
    .path = "spam samples add",
    .summary = "Add a sample or a stop word",
    .example = "postrider spam samples add \"write to me in private\" --kind stop_word",
    .prepare = with_options<declare_spam_add, run_spam_add>};

extern constinit command const spam_samples_withdraw{
    .path = "spam samples withdraw",
    .summary = "Undo trainings",
    .example = "postrider spam samples withdraw 12",
    .prepare = with_options<declare_spam_withdraw, run_spam_withdraw>};

} // namespace commands

} // namespace postrider::cli
