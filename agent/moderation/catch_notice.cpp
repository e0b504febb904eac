#include "agent/moderation/catch_notice.hpp"

#include "agent/talk/refusal_words.hpp"
#include "base/json/json.hpp"
#include "base/names.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

namespace postrider::agent {

namespace {

constexpr std::string_view catch_mark = "spam:";
constexpr std::string_view user_prefix = "user:";
constexpr std::size_t longest_shown_text = 1500; // bytes
constexpr std::size_t most_shown_checks = 20;

constexpr base::names<catch_choice, 6> catch_choices{
    {{catch_choice::not_spam, "ham"},
     {catch_choice::ban, "ban"},
     {catch_choice::reasons, "why"},
     {catch_choice::learn_spam, "+spam"},
     {catch_choice::learn_ham, "+ham"},
     {catch_choice::leave, "no"}}};

constexpr std::size_t longest_changed_text = 80; // bytes
constexpr std::size_t most_shown_changes = 5;

// Up to the next colon, which goes too.
std::string_view take_word(std::string_view& rest) {
    auto const word = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    return word;
}

std::optional<std::int64_t> take_number(std::string_view& rest) {
    auto const word = take_word(rest);
    std::int64_t number = 0;
    auto const [end, failure] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (failure != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return number;
}

// Telegram has no restriction for a channel: it is banned.
bool restricts(spam::caught_message const& caught) {
    return caught.action == spam::catch_action::restrict && !caught.sender_chat;
}

// What happened, not what was meant.
std::string_view words_for(spam::caught_message const& caught, catch_outcome const& outcome) {
    if (outcome.is_deleted && outcome.is_acted_on)
        return restricts(caught) ? "the message was deleted, and the author can only read"
                                 : "the message was deleted, and the author is banned";
    if (outcome.is_deleted) return "the message was deleted";
    if (outcome.is_acted_on)
        return restricts(caught) ? "the author can only read" : "the author is banned";
    return caught.action == spam::catch_action::dry_run ? "nothing was done (dry run)"
                                                        : "nothing was done";
}

std::string author_in_group(spam::caught_message const& caught) {
    auto const& name = caught.name;
    auto const group = base::to_string(caught.key.chat);
    // An erasure finds notices by "AUTHOR in the group".
    return fmt::format(
        "{}{} in the group {}",
        name.empty() ? std::string() : name + ", ",
        base::raw(caught.key.author),
        caught.group_title.empty() ? group : fmt::format("{} ({})", caught.group_title, group)
    );
}

std::string summary_of(spam::caught_message const& caught) {
    base::json_reader const verdict{caught.verdict};
    if (!verdict)
        return caught.caught_by.starts_with(user_prefix)
                   ? fmt::format(
                         "\nDecided by user {}.", caught.caught_by.substr(user_prefix.size())
                     )
                   : std::string();
    return fmt::format(
        "\n{} ({:.0f} points; spam begins at {:.0f}).",
        verdict["reason"].string_or("Spam"),
        verdict["points"].number_or(0),
        verdict["threshold"].number_or(0)
    );
}

std::string shown_text(spam::caught_message const& caught) {
    if (caught.text.empty()) return "(no text)";
    return base::shortened(caught.text, longest_shown_text);
}

button button_of(spam::catch_key const& key, std::string text, catch_choice choice) {
    return {.text = std::move(text), .data = catch_button_data(choice, key)};
}

std::string_view word_of(bool is_spam) {
    return is_spam ? "spam" : "not spam";
}

} // namespace

std::string catch_button_data(catch_choice choice, spam::catch_key const& key) {
    return fmt::format(
        "{}{}:{}:{}:{}",
        catch_mark,
        base::name_of(catch_choices, choice),
        base::raw(key.chat),
        base::raw(key.message),
        base::raw(key.author)
    );
}

std::optional<catch_press> read_catch_button(std::string_view data) {
    if (!data.starts_with(catch_mark)) return std::nullopt;
    data.remove_prefix(catch_mark.size());
    auto const choice = base::named(catch_choices, take_word(data));
    auto const chat = take_number(data);
    auto const message = take_number(data);
    auto const author = take_number(data);
    if (!choice || !chat || !message || !author || !data.empty()) return std::nullopt;
    return catch_press{*choice, {chat_id{*chat}, telegram_message_id{*message}, user_id{*author}}};
}

message_content catch_notice(spam::caught_message const& caught, catch_outcome const& outcome) {
    message_content content;
    content.text =
        caught.caught_by == spam::caught_by_reports
            ? fmt::format("Members report a message from {}.", author_in_group(caught))
            : fmt::format("Spam from {}: {}.", author_in_group(caught), words_for(caught, outcome));
    if (outcome.delete_error)
        content.text +=
            fmt::format("\n⚠️ Not deleted: {}.", refusal_in_words(*outcome.delete_error));
    if (outcome.act_error)
        content.text += fmt::format(
            "\n⚠️ Not {}: {}.",
            restricts(caught) ? "restricted" : "banned",
            refusal_in_words(*outcome.act_error)
        );
    if (outcome.clean_error)
        content.text += fmt::format(
            "\n⚠️ Other messages not deleted: {}.", refusal_in_words(*outcome.clean_error)
        );
    if (outcome.cleaned > 0)
        content.text += fmt::format("\nOther messages deleted: {}.", outcome.cleaned);
    if (caught.strikes > 1)
        content.text += fmt::format("\nThis is strike {} of the author.", caught.strikes);
    content.text += summary_of(caught) + "\n\n" + shown_text(caught);
    content.buttons = {
        {button_of(caught.key, "Not spam (unban)", catch_choice::not_spam),
         button_of(caught.key, "Ban", catch_choice::ban),
         button_of(caught.key, "Why", catch_choice::reasons)}};
    return content;
}

message_content training_question(
    spam::caught_message const& caught, spam::lesson_kind kind, spam::training_effect const& effect
) {
    bool const as_spam = kind == spam::lesson_kind::spam;
    auto const& own = effect.itself;
    message_content content;
    content.text = fmt::format(
        "Teach the filter that this is {}?\nFrom {}.\n\n{}\n\nIts points: {:.0f} → {:.0f}. Of {} "
        "other "
        "messages, {} get another verdict.",
        word_of(as_spam),
        author_in_group(caught),
        shown_text(caught),
        own.points_before,
        own.points_after,
        effect.judged,
        effect.changed.size()
    );
    for (std::size_t i = 0; i < std::min(effect.changed.size(), most_shown_changes); ++i) {
        auto const& change = effect.changed[i];
        content.text += fmt::format(
            "\n• {} → {}: {}",
            word_of(change.was_spam),
            word_of(change.is_spam),
            base::shortened(change.text, longest_changed_text)
        );
    }
    auto const choice = as_spam ? catch_choice::learn_spam : catch_choice::learn_ham;
    content.buttons = {
        {button_of(caught.key, "Teach", choice),
         button_of(caught.key, "Leave it", catch_choice::leave)}};
    return content;
}

message_content decided_notice(spam::caught_message const& caught, std::string_view decision) {
    message_content content;
    content.text = fmt::format(
        "From {}.{}\n\n{}\n\n→ {}",
        author_in_group(caught),
        summary_of(caught),
        shown_text(caught),
        decision
    );
    return content;
}

std::string reasons_of(spam::caught_message const& caught) {
    struct shown_check {
        double points = 0;
        std::string line;
    };
    std::vector<shown_check> checks;
    base::json_reader const verdict{caught.verdict};
    for (auto const& check : verdict["checks"].items_or_none()) {
        auto const points = check["points"].number_or(0);
        auto const reason = check["reason"].string_or("");
        if (reason.empty()) continue;
        checks.push_back(
            {std::abs(points),
             fmt::format("{:+.0f} points ({}): {}", points, check["check"].string_or(""), reason)}
        );
    }
    std::ranges::stable_sort(checks, std::ranges::greater{}, &shown_check::points);
    if (checks.size() > most_shown_checks) checks.resize(most_shown_checks);
    auto text = author_in_group(caught) + summary_of(caught);
    for (auto const& check : checks) text += "\n" + check.line;
    return text;
}

} // namespace postrider::agent
