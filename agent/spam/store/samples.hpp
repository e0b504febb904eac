#pragma once
// The filter's training in Postgres. A sample and the classifier's counts change in one transaction, and a withdrawal takes
// back exactly what its sample added. Blocking, inside the caller's transaction; throws as transaction::query() does.
#include "agent/spam/features.hpp"
#include "agent/spam/knowledge.hpp"
#include "agent/spam/sample.hpp"
#include "base/error.hpp"
#include "base/ids.hpp"
#include "storage/database.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::spam {

// Samples of no group: all share them.
inline constexpr chat_id shared_samples{0};

// What a row of samples is: spam, ham, or a stop word.
enum class lesson_kind : std::uint8_t { spam, ham, stop_word };
enum class lesson_origin : std::uint8_t { command, import, admin, unban, report };

std::string_view name_of(lesson_kind kind) noexcept; // "spam", "ham", "stop_word"
std::optional<lesson_kind> lesson_kind_named(std::string_view name) noexcept;
std::string_view name_of(lesson_origin origin) noexcept;

inline constexpr std::size_t longest_sample = 16'384; // characters

struct lesson {
    chat_id chat = shared_samples;
    lesson_kind kind = lesson_kind::spam;
    std::string text = {};
    lesson_origin origin = lesson_origin::command;
    std::string trained_by = {}; // "user:ID"; "" = who acts in the transaction (storage::act_as)
    std::optional<user_id> user = {}; // whose words these are, if known
};

struct stored_lesson {
    std::int64_t id = 0;
    lesson taught;
    std::string taught_at; // ISO 8601 in UTC, as the next
    std::optional<std::string> withdrawn_at;
    std::optional<std::string> withdrawn_by;
};

// What is stored of it. invalid: no words, or too long.
struct prepared_lesson {
    std::string content;
    std::vector<feature> features = {}; // of samples
};
base::result<prepared_lesson> prepare(lesson const& lesson);

// The new sample's id. invalid: no words, or too long; conflict: it is there already.
base::result<std::int64_t> teach(storage::transaction& tx, lesson const& lesson);

// False: there is none of that id, or it was withdrawn before.
bool withdraw(storage::transaction& tx, std::int64_t sample, std::string_view withdrawn_by = {});

struct lesson_filter {
    std::optional<chat_id> chat = {};
    std::optional<lesson_kind> kind = {};
    bool withdrawn = false; // those as well
    std::int64_t below = 0; // ids; 0 = from the newest
    int limit = 20;
};
// The newest first.
std::vector<stored_lesson> list_lessons(storage::transaction& tx, lesson_filter const& filter);

std::optional<stored_lesson> find_lesson(storage::transaction& tx, std::int64_t sample);

// Which of the stored samples a group uses, beside those that come with the filter.
enum class sample_choice : std::uint8_t { shared, own, both };

std::optional<sample_choice> sample_choice_named(std::string_view name) noexcept;

// What the filter knows in a group.
knowledge load_knowledge(
    storage::transaction& tx,
    chat_id chat = shared_samples,
    sample_choice choice = sample_choice::both
);

// The counts of a group's own samples, as stored.
classifier load_counts(storage::transaction& tx, chat_id chat);

} // namespace postrider::agent::spam
