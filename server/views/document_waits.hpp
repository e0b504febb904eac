#pragma once
// Why documents are not read yet: for whoever waits for them. All throws as transaction::query() does.
#include "base/ids.hpp"
#include "storage/database.hpp"

#include <string>

namespace postrider::server {

// Whether a process works on jobs: it has told so within 8 seconds.
bool some_server_runs(storage::transaction& tx);

// "load failed: …, retry 2 of 4": why a job is parked, or paused; "" = it is not, or there is none.
std::string waiting_reason(storage::transaction& tx, job_id job);

} // namespace postrider::server
