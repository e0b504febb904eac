#pragma once
// What Postgres reported, in the vocabulary of errors. Thrown inside storage/ only: database and
// batcher turn it into a result. The detail names the SQLSTATE and the statement, never a value.
// Source: PostgreSQL 15 documentation, appendix A "PostgreSQL Error Codes".
#include "base/error.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace postrider::storage::pg {

struct failure : std::runtime_error {
    explicit failure(base::error e) : std::runtime_error(to_string(e)), error(std::move(e)) {}
    base::error error;
};

// The prepared statement is gone or its plan no longer fits (a migration ran, or a proxy switched
// servers): prepare again and repeat the transaction.
struct stale_plan : failure {
    using failure::failure;
};

// Raised by the schema's own functions (postrider.lane_differs): a batch of one stage counted on what
// is not so.
inline constexpr std::string_view sent_too_early = "PR001";
// Likewise (postrider.lane_refuses): what the rows are for was deleted.
inline constexpr std::string_view was_deleted = "PR002";

// Our role lacks the right: the operator's to mend, and nothing that trying again does.
inline constexpr std::string_view not_permitted = "42501";

// How a statement's SQLSTATE is treated; internal = a defect of ours.
base::errc code_of(std::string_view sqlstate) noexcept;

// True for SQLSTATEs after which a connection must not be used again, even if its socket still is.
bool ends_connection(std::string_view sqlstate) noexcept;

// True where the server's message can only name tables, columns and constraints, so may be shown.
bool message_is_harmless(std::string_view sqlstate) noexcept;

// Why commits fail until somebody does something about the server, for people: no room, no memory,
// read-only. None for everything else.
std::optional<std::string_view> lasting_refusal(base::error const& failed);

// What our role may not do, of the text of a database_error, for people: "permission denied for
// table pause: role rider may not do that". None for everything else.
std::optional<std::string_view> denial(std::string_view text);

// What the server said, without the severity before it and the lines that follow.
std::string first_line(std::string_view message);

// Throws what a statement's failure means: failure, stale_plan, or database_error for a defect of
// ours. The SQLSTATE is the error's reason.
[[noreturn]] void raise(
    std::string_view sqlstate, std::string_view statement, std::string_view message
);

} // namespace postrider::storage::pg
