#pragma once
// What others have said, kept in Postgres so that they are asked once: the register of spammers of a person, a model of a text in a
// group. Rows belong into the commit that records the judgement. Failures as of storage::query().
#include "agent/spam/outside.hpp"
#include "base/async.hpp"
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::agent::spam {

struct registration {
    std::optional<bool> is_registered = {}; // none: it was not asked, or too long ago
    bool is_away = false;                   // it gave no answer to somebody within the last minute
};

base::awaitable<base::result<registration>> read_registration(
    storage::batcher& reads, user_id user, std::chrono::hours kept_for, base::duration deadline
);
// Without an answer: that it gave none. Order 59, as the next; they return no row.
storage::write registration_row(user_id user, std::optional<bool> is_registered);

// What a model is asked about; texts that are folded the same are one.
struct asked_text {
    chat_id chat{};
    user_id author{};
    std::string sha256; // in hexadecimal
};
asked_text asked_text_of(chat_id chat, user_id author, std::string_view text);

base::awaitable<base::result<std::optional<opinion>>> read_opinion(
    storage::batcher& reads,
    asked_text const& asked,
    std::chrono::hours kept_for,
    base::duration deadline
);
storage::write opinion_row(asked_text const& asked, opinion const& opinion);

} // namespace postrider::agent::spam
