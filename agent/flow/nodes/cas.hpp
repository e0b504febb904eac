#pragma once
// CAS, the register of spammers at https://cas.chat: GET URL?user_id=ID answers {"ok": true, "result": …} for a listed person,
// {"ok": false, "description": "Record not found."} for any other (asked on 2026-11-30).
#include "agent/flow/node_run.hpp"
#include "base/ids.hpp"

#include <string>

namespace postrider::agent::flow {

// Whether the person is listed. Only public addresses are reached. Failures as of guarded_client; unavailable and invalid also
// for an answer that is none.
base::awaitable<base::result<bool>> ask_cas(
    node_services const& services, std::string url, user_id user, base::duration deadline
);

} // namespace postrider::agent::flow
