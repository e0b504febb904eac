// Authors whom CAS lists, the register of spammers at cas.chat. The filter's user asks it, as these parameters say.
#include "agent/spam/check.hpp"

namespace postrider::agent::spam {

namespace {

finding look_for_registered(check_input const& input) {
    if (!input.outside.is_registered) return {};
    return {1, "CAS lists its author as a spammer"};
}

} // namespace

namespace registered {

extern check const cas{
    .name = "cas",
    .looks_for = "Authors whom the register CAS lists. Their ids are sent there.",
    .on = false,
    .weight = 200,
    .parameters =
        {{.key = "url",
          .fallback = "https://api.cas.chat/check",
          .help = "The address that is asked, with user_id=ID."},
         {.key = "seconds",
          .type = base::setting_type::integer,
          .fallback = "3",
          .constraint = "1..30",
          .help = "How long an answer may take. Without one the check says nothing."},
         {.key = "hours",
          .type = base::setting_type::integer,
          .fallback = "24",
          .constraint = "1..720",
          .help = "How long an answer is kept."}},
    .look = look_for_registered,
    .of_reactions = true};

} // namespace registered

} // namespace postrider::agent::spam
