#include "storage/pg/failure.hpp"

namespace postrider::storage::pg {

base::errc code_of(std::string_view sqlstate) noexcept {
    using base::errc;
    auto const group = sqlstate.substr(0, 2);
    // 54: a row beyond a limit, as an index entry too large or JSON nested too deep.
    if (group == "22" || group == "23" || group == "54") return errc::poison;
    // Serialisation failure, deadlock, lock not available.
    if (sqlstate == "40001" || sqlstate == "40P01" || sqlstate == "55P03") return errc::conflict;
    if (sqlstate == "57014") return errc::timeout; // statement_timeout
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
    // 23 constraints, 42 syntax and names, P0 raised by our own functions, 0A features, 28 and 3D
    // access. Class 22 quotes the value.
    auto const group = sqlstate.substr(0, 2);
    return group == "23" || group == "42" || group == "P0" || group == "0A" || group == "28" ||
           group == "3D" || group == "53" || group == "57";
}

} // namespace postrider::storage::pg
