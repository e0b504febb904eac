#pragma once
// What `check` and `doctor` found out, one line each: what was looked at, how it is, and what to do
// about it. Pure.
#include <boost/json/array.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::cli {

enum class verdict { ok, warn, fail };
std::string_view to_string(verdict result) noexcept;

struct finding {
    std::string subject;
    cli::verdict verdict = cli::verdict::fail;
    std::string detail;
    std::string advice = {}; // a command that can be pasted; empty where none helps
};

using findings = std::vector<finding>;

void append(findings& to, findings from);

// Advice that can be pasted: postrider psql -- -c "SQL".
std::string in_psql(std::string_view sql);
// The word as a shell takes it: in quotes where it needs them.
std::string in_shell(std::string_view word);

// "ok     database: reachable", with the advice on a line of its own.
std::string to_text(std::span<finding const> list);
// [{"what", "ok", "result", "detail", "advice"?}]: ok is true for a warning, too.
boost::json::array to_json(std::span<finding const> list);
bool any_failed(std::span<finding const> list);

} // namespace postrider::cli
