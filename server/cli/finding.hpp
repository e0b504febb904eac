#pragma once
// What `check` and `doctor` found out, as a terminal shows it. Pure.
#include "server/views/finding.hpp"

#include <span>
#include <string>

namespace postrider::cli {

using server::any_failed;
using server::append;
using server::finding;
using server::findings;
using server::in_psql;
using server::in_shell;
using server::to_json;
using server::verdict;

// "ok     database: reachable", with the advice on a line of its own.
std::string to_text(std::span<finding const> list);

} // namespace postrider::cli
