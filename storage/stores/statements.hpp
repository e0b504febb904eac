#pragma once
// The statements of the stores that are files: NAME is the text of sql/statements/NAME.sql, whose opening comment
// tells what it guarantees, takes and returns.
#include "storage/statement.hpp"

namespace postrider::storage::sql {

extern statement const record_audit;
extern statement const record_audit_alone;
extern statement const record_audit_once;

} // namespace postrider::storage::sql
