#pragma once
// What `check` and `doctor` found out, one line each: what was looked at, how it is, and what to do
// about it. Pure.
#include <boost/json/array.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::server {

enum class verdict { ok, warn, fail };
std::string_view to_string(verdict result) noexcept;

struct finding {
    std::string subject;
    server::verdict verdict = server::verdict::fail;
    std::string detail;
    std::string advice = {}; // a command that can be pasted; empty where none helps
};

using findings = std::vector<finding>;

void append(findings& gathered, findings more);

// Advice that can be pasted: postrider psql -- -c "SQL".
std::string in_psql(std::string_view sql);
// The word as a shell takes it: in quotes where it needs them.
std::string in_shell(std::string_view word);

// [{"what", "ok", "result", "detail", "advice"?}]: ok is true for a warning, too.
boost::json::array to_json(std::span<finding const> list);
bool any_failed(std::span<finding const> list);

} // namespace postrider::server
