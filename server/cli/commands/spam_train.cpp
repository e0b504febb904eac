// `spam train`: what training with a text would change, and with --yes the training.
#include "agent/spam/store/training_preview.hpp"
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/spam_work.hpp"
#include "server/cli/table.hpp"
#include "server/views/spam_json.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

namespace spam = agent::spam;

struct spam_train_arguments {
    std::string text;
    bool spam = false;
    bool ham = false;
    std::int64_t chat = 0;
    bool yes = false;
};

void declare_spam_train(option_parser& parser, spam_train_arguments& args) {
    parser.add_option("TEXT", args.text, "The message")->required()->check(some_text());
    auto* const ham = parser.add_flag("--ham", args.ham, "It is not spam");
    parser.add_flag("--spam", args.spam, "It is spam")->excludes(ham);
    add_spam_chat(parser, args.chat, "Only for this group");
    parser.add_flag("--yes", args.yes, "Train, and do not only show what would change");
}

std::string_view word_for(bool is_spam) {
    return is_spam ? "spam" : "not spam";
}

void tell_effect(context const& in, spam::training_effect const& effect) {
    in.out << fmt::format(
        "This text: {:.0f} points before ({}), {:.0f} after ({}).\n",
        effect.itself.points_before,
        word_for(effect.itself.was_spam),
        effect.itself.points_after,
        word_for(effect.itself.is_spam)
    );
    std::vector<cells> lines;
    for (auto const& change : effect.changed)
        lines.push_back(
            {fmt::format("{:.0f}", change.points_before),
             fmt::format("{:.0f}", change.points_after),
             std::string(word_for(change.is_spam)),
             one_line(change.text, 80)}
        );
    in.out << fmt::format("{} of {} recent messages change.\n", lines.size(), effect.judged);
    if (!lines.empty()) in.out << table({"before", "after", "becomes", "message"}, lines);
}

int run_spam_train(context const& in, spam_train_arguments const& args) {
    constexpr std::string_view doing = "train the spam filter";
    if (args.spam == args.ham) return usage(in, "--spam or --ham says what the text is");
    spam::lesson const lesson{
        .chat = chat_id{args.chat},
        .kind = args.spam ? spam::lesson_kind::spam : spam::lesson_kind::ham,
        .text = args.text};
    spam::training_effect effect;
    base::result<std::int64_t> learned = std::int64_t{0};
    auto const work = [&](storage::transaction& tx) {
        effect = spam::preview_training(tx, lesson);
        if (args.yes) learned = spam::teach(tx, lesson);
    };
    if (int const code = in_database(in, doing, work); code != 0) return code;
    if (!learned) return fail(in, doing, learned.error());
    if (in.json) {
        auto body = server::training_effect_json(effect);
        if (args.yes) body["sample"] = *learned;
        in.out << base::json_text(body) << '\n';
        return 0;
    }
    tell_effect(in, effect);
    if (args.yes)
        tell_lesson(in, *learned);
    else
        in.err << "Nothing was changed; --yes trains the filter.\n";
    return 0;
}

} // namespace

namespace commands {

extern constinit command const spam_train{
    .path = "spam train",
    .summary = "Show what a training would change, and train the spam filter",
    .example = R"(postrider spam train "Earn $500 a day, write to me" --spam
postrider spam train "Earn $500 a day, write to me" --spam --yes)",
    .prepare = with_options<declare_spam_train, run_spam_train>};

} // namespace commands

} // namespace postrider::cli
