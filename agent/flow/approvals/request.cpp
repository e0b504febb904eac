#include "agent/flow/approvals/request.hpp"

#include "agent/language/lexicon.hpp"
#include "base/json/jsonb_form.hpp"
#include "base/json/ordered.hpp"
#include "base/json/text.hpp"
#include "base/names.hpp"
#include "base/utf8.hpp"
#include "net/digest.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <utf8proc.h>

namespace postrider::agent::approvals {

namespace json = boost::json;

namespace {

constexpr std::size_t most_of_an_argument = 300; // bytes
constexpr std::size_t most_arguments = 12;
constexpr std::size_t most_of_a_request = 3000;

std::string in_words(std::chrono::milliseconds time) {
    auto const minutes = std::chrono::ceil<std::chrono::minutes>(time).count();
    if (time < std::chrono::minutes{2})
        return fmt::format("{} seconds", std::chrono::ceil<std::chrono::seconds>(time).count());
    return minutes < 120 ? fmt::format("{} minutes", minutes)
                         : fmt::format("{} hours", (minutes + 59) / 60);
}

// Joins emoji and Persian letters, and moves nothing.
bool is_joiner(utf8proc_int32_t character) {
    return character == 0x200c || character == 0x200d;
}

// With \u escapes for what a screen does not show, or shows in another order or on another line.
std::string visible(std::string_view text) {
    std::string shown;
    while (!text.empty()) {
        utf8proc_int32_t character = 0;
        auto const* bytes = reinterpret_cast<utf8proc_uint8_t const*>(text.data());
        auto const size = utf8proc_iterate(bytes, std::ssize(text), &character);
        if (size <= 0) break; // JSON is UTF-8
        auto const category = utf8proc_category(character);
        bool const hidden = category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
                            category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
        if (hidden && !is_joiner(character))
            shown += fmt::format("\\u{:04x}", character);
        else
            shown += text.substr(0, static_cast<std::size_t>(size));
        text.remove_prefix(static_cast<std::size_t>(size));
    }
    return shown;
}

// Nothing in an argument, its name included, looks like a line of ours: a model writes both.
std::string value_text(json::value const& value) {
    return visible(base::json_text(value));
}

std::string name_text(std::string_view name) {
    bool const plain = std::ranges::all_of(name, [](unsigned char c) {
        return std::isalnum(c) || c == '_' || c == '-';
    });
    return plain && !name.empty() ? std::string(name) : value_text(json::value(name));
}

class writer {
public:
    writer(bool whole, language::lexicon const& words) : whole_(whole), words_(words) {}

    void add(proposed_call const& call, std::size_t number, std::size_t of) {
        if (!text_.empty()) text_ += "\n\n";
        if (of > 1) text_ += fmt::format("{}. ", number);
        text_ += call.tool->spec.name;
        auto const arguments = arguments_to_run(call);
        std::size_t written = 0;
        for (auto const& [name, value] : arguments) {
            if (!whole_ && (written == most_arguments || text_.size() > most_of_a_request)) {
                auto const left_out = arguments.size() - written;
                text_ += "\n  " + language::in_words(words_.replies.more, left_out);
                shortened_ = true;
                break;
            }
            text_ += fmt::format("\n  {}: {}", fitted(name_text(name)), fitted(value_text(value)));
            ++written;
        }
        if (arguments.empty()) text_ += "\n  " + words_.notices.no_arguments;
    }
    std::string take() { return std::move(text_); }
    bool shortened() const noexcept { return shortened_; }

private:
    std::string fitted(std::string value) {
        if (whole_ || value.size() <= most_of_an_argument) return value;
        shortened_ = true;
        auto const kept = base::cut_at_character(value, most_of_an_argument);
        return language::in_words(words_.notices.more_bytes, kept, value.size() - kept.size());
    }

    bool whole_;
    language::lexicon const& words_;
    bool shortened_ = false;
    std::string text_;
};

constexpr std::string_view refusal_beginning(verdict v) {
    switch (v) {
    case verdict::approved:
        return {};
    case verdict::rejected:
        return "The person rejected this call;";
    case verdict::expired:
        return "Nobody approved this call";
    case verdict::withdrawn:
        return "This call was not run: the question";
    }
    return {};
}

// Of tools whose family has words of its own; "" where one of them has none.
std::string own_questions(std::vector<proposed_call> const& calls) {
    std::string questions;
    for (auto const& call : calls) {
        auto const& tool = *call.tool;
        if (!tool.family) return {};
        auto const question =
            tool.family->question_about(tool.spec.name, call.arguments, call.language);
        if (question.empty()) return {};
        questions += (questions.empty() ? "" : "\n") + visible(question);
    }
    return questions;
}

// Of "tool:3": by it the input of a flow tells calls with the same arguments apart.
int number_in(std::string_view step) {
    int number = 0;
    step.remove_prefix(step.rfind(':') + 1);
    std::from_chars(step.begin(), step.end(), number);
    return number;
}

// All of them are asked about in one language.
language::lexicon const& lexicon_for(std::vector<proposed_call> const& calls) {
    return language::lexicon_of(calls.empty() ? "" : calls.front().language);
}

writer written(std::vector<proposed_call> const& calls, bool whole) {
    writer to(whole, lexicon_for(calls));
    for (std::size_t i = 0; i < calls.size(); ++i) to.add(calls[i], i + 1, calls.size());
    return to;
}

} // namespace

json::object arguments_to_run(proposed_call const& call) {
    auto const* called = std::get_if<flow::flow_call>(&call.tool->work);
    if (!called) return call.arguments;
    auto input = called->input(call.arguments, number_in(call.step));
    if (!input) return call.arguments;
    base::to_jsonb_form(*input); // whatever of it comes from the record, and what is fresh
    return std::move(*input);
}

std::string digest_of(proposed_call const& call, user_id requester, queue::job const& job) {
    auto const& tool = *call.tool;
    json::object const document{
        {"tool", tool.spec.name},
        {"kind", tool.kind},
        {"description", tool.spec.description},
        {"parameters", tool.spec.parameters},
        {"settings", tool.settings},
        {"risk", to_string(tool.risk(tool.settings, call.arguments))},
        {"arguments", arguments_to_run(call)},
        {"requester", base::raw(requester)},
        {"job", base::raw(job.id)},
        {"restarts", job.restarts}};
    return net::sha256_hex(base::ordered_json(document));
}

request_text short_text(std::vector<proposed_call> const& calls) {
    if (auto questions = own_questions(calls); !questions.empty())
        return {std::move(questions), false};
    auto calls_text = written(calls, false);
    auto const shortened = calls_text.shortened();
    auto const& words = lexicon_for(calls).notices;
    return {
        fmt::format(
            "{}\n\n{}\n\n{}",
            calls.size() == 1 ? words.may_do : words.may_do_several,
            calls_text.take(),
            words.answer_or_press
        ),
        shortened};
}

std::string whole_text(std::vector<proposed_call> const& calls) {
    return written(calls, true).take();
}

std::string outcome_text(verdict v, std::string_view decider, std::string_view language) {
    auto const& words = language::notices_in(language);
    switch (v) {
    case verdict::approved:
        return language::in_words(decider.empty() ? words.approved : words.approved_by, decider);
    case verdict::rejected:
        return language::in_words(decider.empty() ? words.rejected : words.rejected_by, decider);
    case verdict::expired:
        return words.unanswered;
    case verdict::withdrawn:
        return words.withdrawn;
    }
    return {};
}

std::string refusal_text(verdict v, std::chrono::milliseconds timeout) {
    std::string text(refusal_beginning(v));
    switch (v) {
    case verdict::approved:
        break;
    case verdict::rejected:
        text += " it was not run. Do not call it again unless they ask for it.";
        break;
    case verdict::expired:
        text += fmt::format(" within {}; it was not run. Tell the person so.", in_words(timeout));
        break;
    case verdict::withdrawn:
        text += " for the person's approval was withdrawn, since they wrote something else or the "
                "tool has changed. Say so in a few words; do not call it again in this turn.";
        break;
    }
    return text;
}

} // namespace postrider::agent::approvals
