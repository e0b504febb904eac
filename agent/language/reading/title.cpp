#include "agent/language/reading/title.hpp"

#include "agent/language/times/day_stretch.hpp"
#include "agent/language/times/unread_time.hpp"

#include <array>

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

    void read(title_place const& place_of_title) {
        bool const reminds = place_of_title.reminds;
        auto const& said = place_of_title.time_apart;
        may_begin_with_article_ = place_of_title.may_begin_with_article;
        if (recurs()) target_.recurring = true;
        auto const whole = words_;
        auto const urgency = target_.urgency;
        bool const looks = !target_.due && !target_.due_passed && !target_.recurring;
        if (said) {
            auto const reading = read_time(language_, *said, clock_, true);
            said_ = {*said, words_, reading.value_or(time_reading{}), place::apart};
        }
        while (take_urgency() || take_time()) {
        }
        if (looks ? meets_part_ || holds_rest() || holds_unread_time(reminds)
                  : said && (misses_hour() || (said_->reading.lacks_hour && holds_rest()))) {
            words_ = is_split() ? said_->words.joined_with(whole) : whole;
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
    enum class place { begin, end, apart };

    struct found_time {
        passage words;
        passage rest;
        time_reading reading;
        place where;
    };

    // "fridays", not "friday's": the words are the same without their signs.
    bool recurs() const {
        for (std::size_t at = 0; at < words_.size(); ++at) {
            auto const recurring_words =
                language_.times.recurring.at_begin(words_.numbers().subspan(at)).words;
            if (recurring_words > 0 && !is_possessive(at)) return true;
        }
        return false;
    }

    bool is_possessive(std::size_t at) const {
        constexpr std::array<std::string_view, 2> signs{"'s", "’s"};
        auto const written = words_.part(at, at + 1).text();
        return std::ranges::any_of(signs, [&](std::string_view sign) {
            return written.ends_with(sign);
        });
    }

    bool holds_unread_time(bool reminds) const {
        bool const is_timeless = !target_.due && !target_.due_passed;
        if (is_timeless && !is_topic_ &&
            (ends_with_unread_time(language_, words_) ||
             holds_time_inside(language_, words_, clock_) ||
             holds_stretch_of_days(language_, words_)))
            return true;
        return language::holds_unread_time(language_, words_, clock_, reminds && is_timeless);
    }

    // "remind me tomorrow to call Ann | at 25:00": of a day that was said apart.
    bool misses_hour() const {
        if (is_split()) return true;
        if (is_joined_ || !said_->reading.lacks_hour) return false;
        return meets_hour_ || ends_with_hours(language_, words_) ||
               language::holds_unread_time(language_, words_, clock_, false);
    }

    // "tomorrow | from 3 to 4 …": what was said apart goes on in the title.
    bool is_split() const {
        return said_ && said_->where == place::apart && said_->words.end() == words_.begin() &&
               behind_time(language_, words_, said_->reading) == neighbour::part;
    }

    // "call Ann tomorrow about the rent | at 9"
    bool holds_rest() const {
        return said_ && !is_joined_ && holds_rest_inside(language_, words_, said_->reading);
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
        if (target_.recurring || is_joined_) return false;
        if (said_) return join_time();
        if (target_.due || target_.due_passed) return false;
        said_ = time_at_end();
        if (!said_) said_ = time_at_begin();
        if (!said_) return false;
        set_due(said_->reading, said_->rest);
        if (said_->where == place::end && ends_with_another()) meets_part_ = true;
        return true;
    }

    // "gym at 6 pm today | until 7": which of both is meant?
    bool ends_with_another() {
        auto const kept = std::tuple(is_topic_, meets_part_, meets_hour_);
        bool const ends = time_at_end().has_value();
        std::tie(is_topic_, meets_part_, meets_hour_) = kept;
        return ends;
    }

    // "tomorrow call Ann at 9": what stands at the other end completes it, or is not understood.
    bool join_time() {
        auto const meets_part = meets_part_;
        auto const other = said_->where == place::end ? time_at_begin() : time_at_end();
        // What was said apart is a time of its own.
        if (said_->where == place::apart) meets_part_ = meets_part;
        if (!other) return false;
        auto const both = read_joined_time(
            language_, said_->words, other->words, clock_, said_->where == place::apart
        );
        if (both) {
            is_joined_ = true;
            set_due(*both, other->rest);
            return true;
        }
        // "friday report": what the title is about.
        bool const is_attribute =
            other->where == place::begin && language_.times.weekdays.is(other->words.numbers());
        meets_part_ |= said_->where != place::apart && !is_attribute;
        return false;
    }

    std::optional<found_time> time_at_end() {
        auto const size = words_.size();
        for (auto count = std::min(size, most_time_words); count > 0; --count) {
            auto const part = words_.part(size - count, size);
            auto const reading = read_time(language_, part, clock_);
            if (!reading || is_joined(size - count)) continue;
            auto const rest = words_.without_last(count);
            if (!is_whole(before_time(language_, rest, part, *reading))) {
                meets_hour_ = !reading->names_day;
                break;
            }
            return found_time{part, rest, *reading, place::end};
        }
        return std::nullopt;
    }

    std::optional<found_time> time_at_begin() {
        for (auto count = std::min(words_.size(), most_time_words); count > 0; --count) {
            if (begins_title(count)) break;
            auto const part = words_.part(0, count);
            auto const reading = read_time(language_, part, clock_);
            if (!reading || is_joined(count)) continue;
            auto rest = words_.without_first(count);
            if (!is_whole(behind_time(language_, rest, *reading))) break;
            // "tomorrow to call Ann"
            if (!may_begin(rest))
                rest = rest.without_first(language_.no_titles.at_begin(rest.numbers()).words);
            return found_time{part, rest, *reading, place::begin};
        }
        return std::nullopt;
    }

    void set_due(time_reading const& reading, passage rest) {
        target_.due = reading.due;
        target_.due_passed = reading.passed;
        words_ = rest;
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
        if (!may_begin(words_)) return false;
        // "make sure …"
        auto const with_verb = words_.with_word_before();
        if (language_.no_titles.at_begin(with_verb.numbers()).words > 1) return false;
        auto rest = words_;
        rest = rest.without_first(language_.articles.at_begin(rest.numbers()).words);
        return !rest.empty() && !language_.nouns.only(rest.numbers()) &&
               !language_.pronouns.is(rest.numbers()) && !language_.everything.is(rest.numbers());
    }

    // "das Auto waschen" begins with an article that is no title by itself; "up 2 and 3" is the rest of a verb.
    bool may_begin(passage words) const {
        auto const ballast = language_.no_titles.at_begin(words.numbers()).words;
        if (ballast == 0) return true;
        if (ballast < words.size() && words.between(ballast) == "-") return true;
        auto const article = language_.articles.at_begin(words.numbers()).words;
        return may_begin_with_article_ && article >= ballast &&
               language_.no_titles.at_begin(words.without_first(article).numbers()).words == 0;
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
    std::optional<found_time> said_;
    bool may_begin_with_article_ = false;
    bool is_joined_ = false;  // of two times
    bool meets_hour_ = false; // the part belongs to an hour without a day
    bool is_topic_ = false;   // a time at the end belongs to the title
    bool meets_part_ = false; // of a time that is not understood
};

} // namespace

void read_title(
    compiled_language const& language,
    passage words,
    wall_clock const& clock,
    intent& target,
    title_place const& place
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

} // namespace postrider::agent::language
