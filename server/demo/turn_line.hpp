#pragma once
// What the newest turn of a chat did, in one line for a person who has just read its answer: its
// tools, who decided on them, its time, and the command that shows each step.
#include "base/async.hpp"
#include "base/ids.hpp"
#include "queue/admin/job_views.hpp"
#include "storage/database.hpp"

#include <string>

namespace postrider::server {

// "list_todo_tasks · rules · 12ms — postrider jobs show 4". Pure.
std::string turn_line(queue::job_details const& turn);

// Of the newest turn of a private chat with any bot. Empty when there is none, it runs, or Postgres does not
// tell of it in time.
base::awaitable<std::string> newest_turn_line(storage::database& db, chat_id chat);

} // namespace postrider::server
