#include "agent/language/reading/title.hpp"

#include "agent/language/times/unread_time.hpp"

namespace postrider::agent::language {

namespace {

// Of a time expression: "on the 24th of December 2026 at half past nine".
constexpr std::size_t most_time_words = 12;

class title_reader {
public:
    title_reader(
        compiled_language const& language, passage words, wall_clock const& clock, intent& target
    )
        : language_(language),
          words_(words),
          clock_(clock),
          target_(target) {}

    void read(title_place place) {
        bool const reminds = place.reminds;
        may_begin_with_article_ = place.may_begin_with_article;
        if (language_.times.recurring.contains_any(words_.numbers())) target_.recurring = true;
        auto const whole = words_;
        auto const urgency = target_.urgency;
        bool const looks = !target_.due && !target_.due_passed && !target_.recurring;
        while (take_urgency() || take_time()) {
        }
        if (looks && (meets_part_ || holds_unread_time(reminds))) {
            words_ = whole;
            target_.urgency = urgency;
            leave_time();
        }
        if (!is_title()) return;
        target_.title = words_.text();
    }

    // Without the times and the urgency.
    passage rest() const { return words_; }

    static passage without_urgency(
        compiled_language const& language, passage words, std::optional<priority>& urgency
    ) {
        if (urgency) return words;
        auto const behind = language.priorities.at_end(words.numbers());
        if (behind.words > 0 && behind.words < words.size()) {
            urgency = static_cast<priority>(behind.value);
            return words.without_last(behind.words);
        }
        // Before the title only what is set off from it: "urgent: …".
        auto const before = language.priorities.at_begin(words.numbers());
        if (before.words == 0 || before.words >= words.size() ||
            words[before.words].before < gap::soft)
            return words;
        urgency = static_cast<priority>(before.value);
        return words.without_first(before.words);
    }

private:
    bool holds_unread_time(bool reminds) const {
        bool const is_timeless = !target_.due && !target_.due_passed;
        if (is_timeless && !is_topic_ && ends_with_unread_time(language_, words_)) return true;
        return language::holds_unread_time(language_, words_, clock_, reminds && is_timeless);
    }

    // "on 31/31/2026 at 9" is not at nine of some other day.
    void leave_time() {
        target_.due.reset();
        target_.due_passed = false;
        target_.due_unread = true;
        while (take_urgency()) {
        }
    }

    bool take_urgency() {
        auto const before = words_.size();
        words_ = without_urgency(language_, words_, target_.urgency);
        return words_.size() < before;
    }

    bool take_time() {
        if (target_.due || target_.due_passed || target_.recurring) return false;
        auto const size = words_.size();
        auto const longest = std::min(size, most_time_words);
        for (auto count = longest; count > 0; --count) {
            auto const part = words_.part(size - count, size);
            auto const reading = read_time(language_, part, clock_);
            if (!reading || is_joined(size - count)) continue;
            auto const rest = words_.without_last(count);
            if (!is_whole(before_time(language_, rest, part, *reading))) break;
            return take(*reading, rest);
        }
        for (auto count = longest; count > 0; --count) {
            if (begins_title(count)) break;
            auto const reading = read_time(language_, words_.part(0, count), clock_);
            if (!reading || is_joined(count)) continue;
            auto const rest = words_.without_first(count);
            if (!is_whole(behind_time(language_, rest, *reading))) break;
            take(*reading, rest);
            // "tomorrow to call Ann"
            if (!may_begin())
                words_ = words_.without_first(language_.no_titles.at_begin(words_.numbers()).words);
            return true;
        }
        return false;
    }

    bool take(time_reading const& reading, passage rest) {
        target_.due = reading.due;
        target_.due_passed = reading.passed;
        words_ = rest;
        return true;
    }

    // "3 May-bowls": the words there are one.
    bool is_joined(std::size_t at) const {
        return at > 0 && at < words_.size() && words_.between(at) == "-";
    }

    bool is_whole(neighbour beside) {
        is_topic_ |= beside == neighbour::topic;
        meets_part_ |= beside == neighbour::part;
        return beside == neighbour::nothing;
    }

    // "noon prayer", "tonight show": a part of the day by itself, and nothing sets it off.
    bool begins_title(std::size_t count) const {
        return count == 1 && words_.size() > 1 && words_[1].before < gap::soft &&
               language_.times.parts.at_begin(words_.part(0, 1).numbers()).words == 1;
    }

    bool is_title() const {
        if (words_.empty()) return false;
        if (words_.size() == 1 && words_[0].quoted) return true;
        if (names_number()) return false;
        if (!may_begin()) return false;
        // "make sure …"
        auto const with_verb = words_.with_word_before();
        if (language_.no_titles.at_begin(with_verb.numbers()).words > 1) return false;
        auto rest = words_;
        rest = rest.without_first(language_.articles.at_begin(rest.numbers()).words);
        return !rest.empty() && !language_.nouns.only(rest.numbers()) &&
               !language_.pronouns.is(rest.numbers()) && !language_.everything.is(rest.numbers());
    }

    // "das Auto waschen" begins with an article that is no title by itself; "up 2 and 3" is the rest of a verb.
    bool may_begin() const {
        auto const found = language_.no_titles.at_begin(words_.numbers()).words;
        if (found == 0) return true;
        if (found < words_.size() && words_.between(found) == "-") return true;
        auto const article = language_.articles.at_begin(words_.numbers()).words;
        return may_begin_with_article_ && article >= found &&
               language_.no_titles.at_begin(words_.without_first(article).numbers()).words == 0;
    }

    // "1", "task 1", "number 2": no title, but a task that there is, or the beginning of a list.
    bool names_number() const {
        auto rest = words_.without_first(language_.articles.at_begin(words_.numbers()).words);
        rest = rest.without_first(language_.nouns.at_begin(rest.numbers()).words);
        rest = rest.without_first(language_.number_marks.at_begin(rest.numbers()).words);
        return rest.size() == 1 && !rest[0].quoted &&
               rest[0].text.find_first_not_of("0123456789") == std::string::npos;
    }

    compiled_language const& language_;
    passage words_;
    wall_clock const& clock_;
    intent& target_;
    bool may_begin_with_article_ = false;
    bool is_topic_ = false;   // a time at the end belongs to the title
    bool meets_part_ = false; // of a time that is not understood
};

} // namespace

void read_title(
    compiled_language const& language,
    passage words,
    wall_clock const& clock,
    intent& target,
    title_place place
) {
    title_reader(language, words, clock, target).read(place);
}

void read_new_title(compiled_language const& language, passage words, intent& target) {
    target.title = title_reader::without_urgency(language, words, target.urgency).text();
}

bool is_time(compiled_language const& language, passage words, wall_clock const& clock) {
    intent scratch;
    title_reader reader(language, words, clock, scratch);
    reader.read({.reminds = true});
    if (scratch.due_unread) return true;
    if (!scratch.due && !scratch.due_passed) return false;
    // "next week | friday"
    return reader.rest().empty() || is_time(language, reader.rest(), clock);
}

bool read_due(
    compiled_language const& language, passage words, wall_clock const& clock, intent& target
) {
    auto const reading = read_time(language, words, clock, true);
    if (!reading) return false;
    target.due = reading->due;
    target.due_passed = reading->passed;
    return true;
}

bool read_day(
    compiled_language const& language, passage words, wall_clock const& clock, intent& target
) {
    auto const now = clock.zone.to_local(clock.now);
    auto const today = std::chrono::floor<std::chrono::days>(now);
    // Before nine, so that no day has passed; clocks may be changed in between.
    constexpr std::chrono::hours early(4);
    wall_clock const morning{clock.now - (now - today) + early, clock.zone};
    intent day;
    if (!read_due(language, words, morning, day) || !day.due) return false;
    auto const due = std::chrono::floor<std::chrono::days>(clock.zone.to_local(day.due->at));
    if (due == today) target.filter = list_filter::today;
    if (due == today + std::chrono::days(1)) target.filter = list_filter::tomorrow;
    return true;
}

} // namespace postrider::agent::language
