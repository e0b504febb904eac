#pragma once
// Who reported which message as spam: each person once. Failures as of storage::query().
#include "base/async.hpp"
#include "base/ids.hpp"
#include "storage/batcher.hpp"

namespace postrider::agent::spam {

struct spam_report {
    chat_id chat{};
    telegram_message_id message{};
    user_id reporter{};
};

// Order 88; returns no row.
storage::write report_row(spam_report const& report);

// Somebody decided that the message is none: nobody needs to look at it any more. Order 90; returns no row.
storage::write settled_reports_row(chat_id chat, telegram_message_id message);

struct report_state {
    bool may_report = false;  // the group knows the reporter, and nobody banned them
    bool is_repeated = false; // they reported it before
    int others = 0;           // who reported it
};
base::awaitable<base::result<report_state>> read_report_state(
    storage::batcher& reads, spam_report report, base::duration deadline
);

} // namespace postrider::agent::spam
