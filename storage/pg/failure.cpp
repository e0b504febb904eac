#include "storage/pg/failure.hpp"

#include "storage/row.hpp"

namespace postrider::storage::pg {

base::errc code_of(std::string_view sqlstate) noexcept {
    using base::errc;
    auto const group = sqlstate.substr(0, 2);
    // 54: a row beyond a limit, as an index entry too large or JSON nested too deep.
    if (group == "22" || group == "23" || group == "54") return errc::poison;
    // Serialisation failure, deadlock, lock not available.
    if (sqlstate == "40001" || sqlstate == "40P01" || sqlstate == "55P03") return errc::conflict;
    if (sqlstate == "57014") return errc::timeout; // statement_timeout
    if (sqlstate == sent_too_early) return errc::stale;
    if (sqlstate == was_deleted) return errc::not_found;
    // 08 connection, 53 resources, 57P server going or coming, 58 and XX disk and storage.
    if (group == "08" || group == "53" || sqlstate.starts_with("57P") || group == "58" ||
        group == "XX" || ends_connection(sqlstate))
        return errc::unavailable;
    return errc::internal;
}

bool ends_connection(std::string_view sqlstate) noexcept {
    // Read-only: this server was demoted, another host of the list is the primary now.
    // 25P03 and 25P04: idle or transaction time-out, the session was ended.
    return sqlstate == "25006" || sqlstate == "25P03" || sqlstate == "25P04" ||
           sqlstate.starts_with("57P") || sqlstate.starts_with("08");
}

bool message_is_harmless(std::string_view sqlstate) noexcept {
    // 23 constraints, 42 syntax and names, P0 and PR raised by our own functions, 0A features, 28 and
    // 3D access. Class 22 quotes the value.
    auto const group = sqlstate.substr(0, 2);
    return group == "23" || group == "42" || group == "P0" || group == "PR" || group == "0A" ||
           group == "28" || group == "3D" || group == "53" || group == "57";
}

std::optional<std::string_view> lasting_refusal(base::error const& failed) {
    auto const& sqlstate = failed.reason;
    if (sqlstate == "53100") return "the disk of the database is full";
    if (sqlstate == "53200") return "the database is out of memory";
    if (sqlstate == "25006") return "the database is read-only";
    if (sqlstate.starts_with("53")) return "the database lacks resources";
    return std::nullopt;
}

std::optional<std::string_view> denial(std::string_view text) {
    // "42501 in pause_all: permission denied for table pause: role …"
    auto const colon = text.find(": ");
    if (!text.starts_with(not_permitted) || colon == text.npos) return std::nullopt;
    return text.substr(colon + 2);
}

std::string first_line(std::string_view message) {
    for (std::string_view severity : {"ERROR:  ", "FATAL:  "})
        if (auto const at = message.find(severity); at != message.npos)
            message.remove_prefix(at + severity.size());
    return std::string(message.substr(0, message.find('\n')));
}

void raise(std::string_view sqlstate, std::string_view statement, std::string_view message) {
    auto detail = std::string(sqlstate) + " in " + std::string(statement);
    if (message_is_harmless(sqlstate)) detail += ": " + first_line(message);
    bool const changed = sqlstate == "0A000" && message.find("cached plan") != message.npos;
    if (sqlstate == "26000" || changed)
        throw stale_plan({base::errc::unavailable, detail, sqlstate});
    // No row is to blame when its partition is not there yet: maintenance is about to make it.
    bool const no_partition =
        sqlstate == "23514" && message.find("no partition of relation") != message.npos;
    auto const code = no_partition ? base::errc::unavailable : code_of(sqlstate);
    if (code == base::errc::internal) throw database_error(detail);
    throw failure({code, detail, sqlstate});
}

} // namespace postrider::storage::pg
