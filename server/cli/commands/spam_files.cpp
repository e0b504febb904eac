// `spam samples import|export`: samples as files, in the form of tg-spam: a line each.
#include "agent/spam/store/samples.hpp"
#include "base/json/text.hpp"
#include "base/text_file.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/spam_work.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <limits>
#include <ostream>

namespace postrider::cli {

namespace {

namespace spam = agent::spam;

struct spam_file_arguments {
    std::string file;
    std::string kind;
    std::int64_t chat = 0;
};

void declare_spam_import(option_parser& parser, spam_file_arguments& args) {
    parser.add_option("FILE", args.file, "A file with a sample on each line")
        ->required()
        ->type_name("FILE");
    add_spam_kind(parser, args.kind)->required();
    add_spam_chat(parser, args.chat, "Only for this group");
}

struct import_count {
    int learned = 0;
    int present = 0;
    int refused = 0;
};

import_count import_lines(
    storage::transaction& tx, std::string_view file, spam_file_arguments const& args
) {
    import_count count;
    for (auto const& line : spam::read_lines(file)) {
        auto const learned = spam::teach(
            tx,
            {.chat = chat_id{args.chat},
             .kind = spam::lesson_kind_named(args.kind).value(),
             .text = line,
             .origin = spam::lesson_origin::import}
        );
        if (learned)
            ++count.learned;
        else
            ++(learned.error() == base::errc::conflict ? count.present : count.refused);
    }
    return count;
}

int run_spam_import(context const& in, spam_file_arguments const& args) {
    constexpr std::string_view doing = "import the samples";
    std::optional<std::string> file;
    import_count count;
    int const code = in_database(in, doing, [&](storage::transaction& tx) {
        file = base::read_text_file(args.file);
        if (file) count = import_lines(tx, *file, args);
    });
    if (code != 0) return code;
    if (!file)
        return fail(
            in,
            doing,
            base::error(
                base::errc::not_found, "there is no such file of at most 4 MiB: " + args.file
            )
        );
    if (in.json)
        in.out << base::json_text(boost::json::object{
                      {"learned", count.learned},
                      {"known", count.present},
                      {"refused", count.refused}})
               << '\n';
    else
        in.out << fmt::format(
            "{} samples are learned; {} were known, {} have no word or are too long.\n",
            count.learned,
            count.present,
            count.refused
        );
    return 0;
}

void declare_spam_export(option_parser& parser, spam_file_arguments& args) {
    add_spam_kind(parser, args.kind)->required();
    add_spam_chat(parser, args.chat, "Of this group, not the shared ones");
}

int run_spam_export(context const& in, spam_file_arguments const& args) {
    spam::lesson_filter filter;
    filter.chat = chat_id{args.chat};
    filter.kind = spam::lesson_kind_named(args.kind);
    filter.limit = std::numeric_limits<int>::max();
    std::vector<std::string> texts;
    int const code = in_database(in, "read the samples", [&](storage::transaction& tx) {
        texts.clear();
        for (auto const& lesson : spam::list_lessons(tx, filter))
            texts.push_back(lesson.taught.text);
    });
    if (code != 0) return code;
    in.out << spam::written_lines(texts);
    return 0;
}

} // namespace

namespace commands {

extern constinit command const spam_samples_import{
    .path = "spam samples import",
    .summary = "Add the samples of a file, a line each",
    .example = "postrider spam samples import spam.txt --kind spam",
    .prepare = with_options<declare_spam_import, run_spam_import>};

extern constinit command const spam_samples_export{
    .path = "spam samples export",
    .summary = "Print samples, a line each",
    .example = "postrider spam samples export --kind spam",
    .prepare = with_options<declare_spam_export, run_spam_export>,
    .json = false};

} // namespace commands

} // namespace postrider::cli
