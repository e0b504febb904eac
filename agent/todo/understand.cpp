#include "agent/todo/understand.hpp"

#include "agent/todo/sentence_reader.hpp"

namespace postrider::agent::todo {

namespace {

using kind = intent::kind;

constexpr std::size_t most_intents = 20;

// Slips are looked for where commands stand: near the two ends of a sentence.
constexpr std::size_t corrected_words = 5;

class message_reader {
public:
    message_reader(vocabulary const& words, std::string_view message, wall_clock const& clock)
        : vocabulary_(words),
          message_(message),
          clock_(clock) {}

    request read() {
        auto const list = words_of(message_);
        word_numbers numbers;
        numbers.reserve(list.words.size());
        for (auto const& read : list.words) numbers.push_back(vocabulary_.find(read.text));
        passage const all(message_, list.words, numbers);
        for (auto const& part : sentences_of(vocabulary_.languages(), all, list.end))
            take(part, list, numbers);
        return finished();
    }

private:
    void take(sentence const& part, word_list const& list, word_numbers const& numbers) {
        if (confirms(vocabulary_.languages(), part.words) && !part.asks && confirm()) return;
        auto clauses = read_sentence(vocabulary_, part, clock_);
        if (clauses.empty()) clauses = read_corrected(part, list, numbers);
        if (clauses.empty()) return take_unknown(part);
        for (auto& understood : clauses) {
            if (result_.language.empty()) result_.language = understood.language->source->code;
            for (auto& found : understood.intents) result_.intents.push_back(std::move(found));
        }
    }

    std::vector<clause> read_corrected(
        sentence const& part, word_list const& list, word_numbers const& numbers
    ) const {
        auto corrected = numbers;
        bool changed = false;
        auto const correct = [&](std::size_t at) {
            if (corrected[at] != 0 || list.words[at].quoted) return;
            corrected[at] = vocabulary_.meant_by(list.words[at].text);
            changed |= corrected[at] != 0;
        };
        auto const begin = part.words.begin();
        auto const end = part.words.end();
        for (auto at = begin; at < std::min(end, begin + corrected_words); ++at) correct(at);
        for (auto at = std::max(begin, end - std::min(end, corrected_words)); at < end; ++at)
            correct(at);
        if (!changed) return {};
        return read_sentence(vocabulary_, {part.words.with_numbers(corrected), part.asks}, clock_);
    }

    bool confirm() {
        bool confirmed = false;
        for (auto& found : result_.intents) {
            if (found.action != kind::remove && found.action != kind::update) continue;
            found.confirmed = confirmed = true;
        }
        return confirmed;
    }

    void take_unknown(sentence const& part) {
        unknown_ = true;
        auto const words = part.words.numbers();
        for (auto const& language : vocabulary_.languages())
            result_.doubtful |=
                language.doubts.contains_any(words) || language.retractions.contains_any(words);
    }

    request finished() {
        auto& intents = result_.intents;
        if (result_.doubtful || intents.size() > most_intents)
            std::erase_if(intents, [](intent const& found) { return mutates(found.action); });
        bool const courtesies = std::ranges::all_of(intents, [](intent const& found) {
            return found.action == kind::greeting || found.action == kind::thanks;
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
    request result_;
    bool unknown_ = false;
};

} // namespace

interpreter::interpreter(std::span<language const* const> languages)
    : vocabulary_(std::make_unique<vocabulary const>(languages)) {}

interpreter::~interpreter() = default;

request interpreter::understand(
    std::string_view message, base::sys_time now, base::time_zone const& zone
) const {
    request unknown;
    unknown.intents.emplace_back();
    if (message.size() > longest_message) return unknown;
    wall_clock const clock{now, zone};
    return message_reader(*vocabulary_, message, clock).read();
}

request understand(std::string_view message, base::sys_time now, base::time_zone const& zone) {
    static interpreter const product(languages());
    return product.understand(message, now, zone);
}

} // namespace postrider::agent::todo
