#pragma once
// A message that Telegram refuses in one form, in another that it takes. Pure.
#include "server/telegram/bot_api.hpp"

namespace postrider::telegram {

// Turns the request into the form that the objection leaves open; false: it is in that form.
bool takes_other_form(send_request& request, objection objection);
bool takes_other_form(edit_request& request, objection objection);

} // namespace postrider::telegram
