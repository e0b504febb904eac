#include "agent/language/reading/sentence_reader.hpp"

namespace postrider::agent::language {

namespace {

using kind = intent::kind;

// A sentence is divided at so many places at most, which bounds the work.
constexpr std::size_t most_joints = 12;

// Where a new clause may begin, and what stands before it.
struct joint {
    std::size_t end = 0;   // of the clause before
    std::size_t begin = 0; // of the clause behind
    bool set_off = false;  // by a comma, or by more than one word
    bool joined = false;   // by a word
};

class sentence_reader {
public:
    sentence_reader(vocabulary const& words, sentence const& source, wall_clock const& clock)
        : vocabulary_(words),
          source_(source),
          clock_(clock) {}

    std::vector<clause> read() {
        find_joints();
        // "Could you add milk, and delete 3?" requests both.
        asks_ = source_.asks && !requests(vocabulary_.languages(), source_.words);
        return read_from(0, 0);
    }

private:
    void find_joints() {
        auto const& words = source_.words;
        for (std::size_t at = 1; at < words.size() && joints_.size() < most_joints; ++at) {
            std::size_t joining = 0;
            for (auto const& language : vocabulary_.languages())
                joining = std::max(
                    joining, language.conjunctions.at_begin(words.numbers().subspan(at)).words
                );
            bool const comma = words[at].before >= gap::comma || words[at].before == gap::soft;
            // Not behind a colon: what follows is a title.
            if (joining == 0 && words[at].before != gap::comma) continue;
            if (at + joining >= words.size()) break;
            joints_.push_back({at, at + joining, comma || joining > 1, joining > 0});
            at += joining;
        }
    }

    clause read_part(std::size_t begin, std::size_t end) const {
        return read_clause(vocabulary_.languages(), source_.words.part(begin, end), asks_, clock_);
    }

    // The clauses from a word on; the joints before `next` lie behind.
    std::vector<clause> read_from(std::size_t begin, std::size_t next) {
        auto whole = read_part(begin, source_.words.size());
        for (auto index = next; index < joints_.size(); ++index) {
            auto const& at = joints_[index];
            if (at.end <= begin) continue;
            auto before = read_part(begin, at.end);
            if (!before.understood()) continue;
            auto behind = rest_at(index);
            if (behind.empty()) continue;
            if (whole.understood() && !divides(before, behind.front(), at, whole)) continue;
            behind.insert(behind.begin(), std::move(before));
            return behind;
        }
        if (!whole.understood()) return {};
        return {std::move(whole)};
    }

    std::vector<clause> const& remembered(std::size_t index) { return rest_[index].value(); }

    std::vector<clause> rest_at(std::size_t index) {
        if (rest_.empty()) rest_.resize(joints_.size());
        if (!rest_[index]) rest_[index] = read_from(joints_[index].begin, index + 1);
        return remembered(index);
    }

    static bool takes_title(clause const& c) {
        auto const action = c.matched->source->action;
        return action == kind::create || action == kind::update;
    }

    // "tea": a single word is hardly what is to be done, so that more of it would follow.
    static bool names_things(clause const& c) {
        return std::ranges::all_of(c.intents, [](intent const& intent) {
            return intent.action == kind::create && intent.title.find(' ') == std::string::npos;
        });
    }

    // "remove the milk", not "delete endpoints".
    bool names_known_task(clause const& c, joint const& at) const {
        auto const words = source_.words.numbers().subspan(at.begin);
        return words.size() > c.own_words &&
               c.language->articles.at_begin(words.subspan(c.own_words)).words > 0;
    }

    // "add "tea" due friday and …": a quotation, or a time behind it, ends a title; of what changes tasks
    // only what is asked about first may follow the time.
    bool ends_title(clause const& before, joint const& at, intent const& following) const {
        auto const& words = source_.words;
        auto const& intent = before.intents.back();
        if (intent.action != kind::create || at.end == 0) return false;
        bool const quoted = intent.due || intent.due_passed
                                ? words.part(0, at.end).holds_quotation()
                                : words[at.end - 1].quoted;
        return quoted || (intent.due && following.action == kind::remove);
    }

    // Whether two clauses are meant, although all of it could be one.
    bool divides(clause const& before, clause const& behind, joint const& at, clause const& whole)
        const {
        auto const& following = behind.intents.front();
        using by = task_reference::kind;
        bool const certain = following.action == kind::list || following.task.by == by::id ||
                             following.task.by == by::position || following.task.by == by::from_end;
        bool const asks_first =
            following.action == kind::remove || following.action == kind::update;
        // "delete 2 and 3" has read its numbers itself, and "add milk, eggs and tea" its titles.
        bool const beside_names =
            asks_first && at.joined && names_things(before) && names_known_task(behind, at);
        if (whole.intents.size() > 1 && !(takes_title(before) && (certain || beside_names)))
            return false;
        if (whole.own_words >= before.own_words + behind.own_words) return false;
        if (following.action == kind::greeting || following.action == kind::thanks)
            return at.set_off;
        if (!takes_title(before) || certain || beside_names || ends_title(before, at, following))
            return true;
        if (following.task.by == by::all) return false;
        if (following.action == kind::create)
            return behind.first == before.first || behind.own_words >= 3 ||
                   (at.set_off && !before.matched->source->verbal);
        if (before.matched->source->verbal) return false;
        return behind.own_words >= 2 || at.set_off;
    }

    vocabulary const& vocabulary_;
    sentence const& source_;
    wall_clock const& clock_;
    bool asks_ = false;
    std::vector<joint> joints_;
    std::vector<std::optional<std::vector<clause>>> rest_; // by joint
};

} // namespace

std::vector<clause> read_sentence(
    vocabulary const& words, sentence const& source, wall_clock const& clock
) {
    if (source.words.empty()) return {};
    return sentence_reader(words, source, clock).read();
}

} // namespace postrider::agent::language
