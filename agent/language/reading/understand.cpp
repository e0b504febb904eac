#include "agent/language/reading/understand.hpp"

#include "agent/language/command.hpp"
#include "agent/language/reading/carried.hpp"
#include "agent/language/reading/contrast.hpp"
#include "agent/language/reading/language_evidence.hpp"
#include "agent/language/reading/sentence_reader.hpp"
#include "agent/language/reading/sentences.hpp"
#include "agent/language/reading/title_list.hpp"
#include "agent/language/reference.hpp"

#include <algorithm>

namespace postrider::agent::language {

namespace {

using kind = intent::kind;

constexpr std::size_t most_intents = 20;

// Slips are looked for where commands stand: near the two ends of a sentence.
constexpr std::size_t corrected_words = 5;

word_numbers numbers_of(vocabulary const& words, word_list const& list) {
    word_numbers numbers;
    numbers.reserve(list.words.size());
    for (auto const& read : list.words) numbers.push_back(words.find(read.text));
    return numbers;
}

// A slip of the finger may hide in the name of a task: "delete taks 8".
bool names_titles(std::vector<clause> const& clauses) {
    return std::ranges::any_of(clauses, [](clause const& c) {
        return c.intents.front().task.by == task_reference::kind::title;
    });
}

bool is_single_creation(std::vector<clause> const& clauses) {
    return clauses.size() == 1 && clauses.front().intents.size() == 1 &&
           clauses.front().intents.front().action == kind::create;
}

// As in "add taks: oil the door": the title begins with a word and a colon.
bool is_labelled_title(std::vector<clause> const& clauses, sentence const& part) {
    if (!is_single_creation(clauses)) return false;
    for (std::size_t at = 1; at < std::min(part.words.size(), corrected_words); ++at)
        if (part.words[at].before == gap::colon) return true;
    return false;
}

std::size_t weight_of(std::vector<clause> const& clauses) {
    std::size_t sum = 0;
    for (auto const& c : clauses) sum += weight(c);
    return sum;
}

// A command of chats is no word of the rules.
bool is_command(std::string_view message) {
    return find_command(command_of(message)) != nullptr;
}

class message_reader {
public:
    message_reader(
        vocabulary const& words,
        std::string_view message,
        wall_clock const& clock,
        std::string_view conversation
    )
        : vocabulary_(words),
          message_(message),
          clock_(clock),
          conversation_(conversation) {}

    request read() {
        auto const list = words_of(message_);
        auto const numbers = numbers_of(vocabulary_, list);
        passage const whole(message_, list.words, numbers);
        // A question adds nothing.
        if (auto listed = list.asks ? std::nullopt : read_title_list(vocabulary_, whole, clock_)) {
            result_.language = listed->language->source->code;
            result_.intents = std::move(listed->intents);
            return finished();
        }
        auto const sentences = sentences_of(vocabulary_.languages(), whole, list.end);
        for (std::size_t at = 0; at < sentences.size(); ++at)
            if (auto const last = take(sentences[at], list, numbers))
                at += carry_on(*last, std::span(sentences).subspan(at + 1), list, numbers);
        return finished();
    }

private:
    // The last clause, where the sentence is understood.
    std::optional<clause> take(
        sentence const& part, word_list const& list, word_numbers const& numbers
    ) {
        bool const confirms_all =
            !part.asks && !asked_ && confirms(vocabulary_.languages(), part.words);
        if (confirms_all && confirm()) return std::nullopt;
        // "strike that", "make that 2"
        if (takes_all_back(part)) {
            take_unknown(part);
            return std::nullopt;
        }
        // "he answered, no, add milk" asks for nothing.
        bool const corrects = unknown_before_ && !asked_ &&
                              begins_with_correction(vocabulary_.languages(), part.words);
        unknown_before_ = false;
        if (corrects) {
            result_.doubtful = true;
            take_unknown(part);
            return std::nullopt;
        }
        auto clauses = read_clauses(part, list, numbers);
        // "milk, but don't add eggs" is no title.
        if (clauses.empty() || is_single_creation(clauses))
            if (auto apart = read_contrast(vocabulary_.languages(), part, clock_))
                clauses = {std::move(*apart)};
        if (clauses.empty()) {
            result_.doubtful |= takes_back(part);
            take_unknown(part);
            return std::nullopt;
        }
        if (takes_back(part)) take_back(clauses);
        asked_ = false;
        auto last = clauses.back();
        for (auto& understood : clauses) {
            if (result_.language.empty()) result_.language = understood.language->source->code;
            auto const begin = result_.intents.size();
            bool const changes = mutates(understood.intents.front().action);
            for (auto& meant : understood.intents)
                if (!is_repeated(meant)) result_.intents.push_back(std::move(meant));
            if (changes && result_.intents.size() > begin) last_change_ = begin;
        }
        return last;
    }

    bool takes_all_back(sentence const& part) const {
        return std::ranges::any_of(vocabulary_.languages(), [&](auto const& language) {
            auto const words = part.words.numbers();
            return language.retractions.only(words) ||
                   (last_change_ && language.retractions.at_begin(words).words > 0);
        });
    }

    // "add cake; no, add pie"
    bool takes_back(sentence const& part) const {
        return last_change_ && begins_with_correction(vocabulary_.languages(), part.words);
    }

    // The request before it is replaced by another one; where none is made, it is in doubt.
    void take_back(std::vector<clause> const& retractions) {
        if (mutates(retractions.front().intents.front().action)) {
            result_.intents.resize(*last_change_);
            confirmable_ = std::min(confirmable_, *last_change_);
        } else {
            result_.doubtful = true;
        }
    }

    std::vector<clause> read_clauses(
        sentence const& part, word_list const& list, word_numbers const& numbers
    ) const {
        auto clauses = read_sentence(vocabulary_, part, clock_);
        if (std::ranges::any_of(clauses, [&](auto const& read) {
                return is_foreign(vocabulary_, read, part.words.numbers(), conversation_);
            }))
            return {};
        if (clauses.empty() || names_titles(clauses)) {
            auto corrected = read_corrected(part, list, numbers);
            if (!corrected.empty() && weight_of(corrected) >= weight_of(clauses))
                clauses = std::move(corrected);
        } else if (is_labelled_title(clauses, part)) {
            auto corrected = read_corrected(part, list, numbers);
            if (is_single_creation(corrected) && weight_of(corrected) > weight_of(clauses))
                clauses = std::move(corrected);
        }
        return clauses;
    }

    // How many of the sentences behind it are parts of the clause.
    std::size_t carry_on(
        clause const& before,
        std::span<sentence const> rest,
        word_list const& list,
        word_numbers const& numbers
    ) {
        std::vector<passage> parts;
        for (auto const& next : rest) {
            bool const follows = !next.asks && next.words.between(0).find(';') != std::string::npos;
            if (!follows || confirms(vocabulary_.languages(), next.words)) break;
            if (!read_clauses(next, list, numbers).empty()) break;
            parts.push_back(next.words);
        }
        auto carried = carried_by(vocabulary_.languages(), before, parts, clock_);
        if (carried.empty()) return 0;
        for (auto& meant : carried)
            if (!is_repeated(meant)) result_.intents.push_back(std::move(meant));
        return parts.size();
    }

    // "finish it, I did it"
    bool is_repeated(intent const& said) const {
        auto const& task = said.task;
        return task.by != task_reference::kind::none &&
               std::ranges::any_of(result_.intents, [&](intent const& earlier) {
                   return earlier.action == said.action && earlier.title == said.title &&
                          earlier.urgency == said.urgency && earlier.due == said.due &&
                          earlier.shift == said.shift && earlier.task.by == task.by &&
                          earlier.task.number == task.number && earlier.task.verbs == task.verbs &&
                          earlier.task.title == task.title;
               });
    }

    std::vector<clause> read_corrected(
        sentence const& part, word_list const& list, word_numbers const& numbers
    ) const {
        auto corrected = numbers;
        bool changed = false;
        auto const* language = vocabulary_.best_known(part.words.numbers());
        if (!language) language = vocabulary_.find_language(conversation_);
        auto const correct = [&](std::size_t at) {
            if (corrected[at] != 0 || list.words[at].quoted) return;
            corrected[at] = vocabulary_.meant_by(list.words[at].text, language);
            changed |= corrected[at] != 0;
        };
        auto const begin = part.words.begin();
        auto const end = part.words.end();
        for (auto at = begin; at < std::min(end, begin + corrected_words); ++at) correct(at);
        for (auto at = std::max(begin, end - std::min(end, corrected_words)); at < end; ++at)
            correct(at);
        if (!changed) return {};
        auto clauses =
            read_sentence(vocabulary_, {part.words.with_numbers(corrected), part.asks}, clock_);
        if (std::ranges::any_of(clauses, [&](auto const& read) {
                return is_guess(vocabulary_, read, part.words.numbers(), conversation_);
            }))
            return {};
        return clauses;
    }

    // False: the message asks for nothing that a yes could be to.
    bool confirm() {
        bool is_answer = false;
        for (std::size_t at = 0; at < result_.intents.size(); ++at) {
            auto& requested = result_.intents[at];
            if (requested.action != kind::remove && requested.action != kind::update) continue;
            is_answer = true;
            requested.confirmed |= at >= confirmable_;
        }
        return is_answer;
    }

    // "undo", "wrong one": of two words at most, and no part of a list. It is not the first sentence.
    static bool is_brief(sentence const& part) {
        return part.words.size() <= 2 && part.words.between(0).find(';') == std::string::npos;
    }

    void take_unknown(sentence const& part) {
        unknown_ = unknown_before_ = true;
        bool const completes = std::ranges::any_of(result_.intents, [](intent const& earlier) {
            return earlier.action == kind::complete;
        });
        // What is completed stays so: nothing that may take it back is passed over.
        result_.doubtful |= completes || (last_change_ && is_brief(part));
        // "delete 3. Yes. Oh, keep it": the person is asked after all.
        for (auto& earlier : result_.intents) earlier.confirmed = false;
        confirmable_ = result_.intents.size();
        asked_ = part.asks;
        auto const words = part.words.numbers();
        for (auto const& language : vocabulary_.languages())
            result_.doubtful |=
                language.doubts.contains_any(words) || language.retractions.contains_any(words);
    }

    request finished() {
        auto& intents = result_.intents;
        auto const changes = [](intent const& requested) { return mutates(requested.action); };
        result_.doubtful |= intents.size() > most_intents;
        if (result_.doubtful) std::erase_if(intents, changes);
        result_.partly = unknown_ && std::ranges::any_of(intents, changes);
        bool const courtesies = std::ranges::all_of(intents, [](intent const& requested) {
            return requested.action == kind::greeting || requested.action == kind::thanks;
        });
        if (intents.empty() || (unknown_ && courtesies)) {
            intents.clear();
            intents.emplace_back();
        }
        return std::move(result_);
    }

    vocabulary const& vocabulary_;
    std::string_view message_;
    wall_clock const& clock_;
    std::string_view conversation_; // its language, or ""
    request result_;
    // Where the intents of the last clause that changes begin.
    std::optional<std::size_t> last_change_;
    // The intents before it have something behind them that is not understood: a yes may be to that.
    std::size_t confirmable_ = 0;
    bool unknown_ = false;
    bool unknown_before_ = false; // the last sentence
    bool asked_ = false; // by the last sentence, which is not understood: a yes may answer it
};

} // namespace

interpreter::interpreter(std::span<lexicon const> languages)
    : vocabulary_(std::make_unique<vocabulary const>(languages)) {}

interpreter::~interpreter() = default;

request interpreter::understand(
    std::string_view message,
    base::sys_time now,
    base::time_zone const& zone,
    std::string_view conversation
) const {
    request unknown;
    unknown.intents.emplace_back();
    if (message.size() > longest_message || is_command(message)) return unknown;
    wall_clock const clock{now, zone};
    return message_reader(*vocabulary_, message, clock, conversation).read();
}

std::optional<task_reference> interpreter::understand_choice(std::string_view message) const {
    if (message.size() > longest_message) return std::nullopt;
    auto const list = words_of(message);
    if (list.asks) return std::nullopt;
    auto const numbers = numbers_of(*vocabulary_, list);
    for (auto const& language : vocabulary_->languages()) {
        passage words(message, list.words, numbers);
        words = without_openings(language, words);
        auto const named = references_in(language, words);
        if (named.size() == 1) return named.front();
    }
    return std::nullopt;
}

std::optional<understood_time> interpreter::understand_time(
    std::string_view words, base::sys_time now, base::time_zone const& zone
) const {
    if (words.size() > longest_message) return std::nullopt;
    auto const list = words_of(words);
    auto const numbers = numbers_of(*vocabulary_, list);
    for (auto const& language : vocabulary_->languages())
        if (auto const reading =
                read_time(language, {words, list.words, numbers}, {now, zone}, true))
            return understood_time{reading->due};
    return std::nullopt;
}

namespace {

interpreter const& product() {
    static interpreter const instance(lexicons());
    return instance;
}

} // namespace

request understand(
    std::string_view message,
    base::sys_time now,
    base::time_zone const& zone,
    std::string_view conversation
) {
    return product().understand(message, now, zone, conversation);
}

std::string_view language_of(std::string_view message) {
    return product().language_of(message);
}

std::optional<task_reference> understand_choice(std::string_view message) {
    return product().understand_choice(message);
}

std::optional<understood_time> understand_time(
    std::string_view words, base::sys_time now, base::time_zone const& zone
) {
    return product().understand_time(words, now, zone);
}

} // namespace postrider::agent::language
