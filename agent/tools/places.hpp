#pragma once
// The time zones of places that people name: cities, countries and states of the table, and whatever
// a zone of the IANA database is named after ("Tokyo" of Asia/Tokyo), in any case, with accents or
// without. Threads: any.
#include "base/time_zone.hpp"

namespace postrider::agent {

// "Asia/Tokyo", "tokyo", "São Paulo", "Paris, France", "the Netherlands". invalid: the place has
// several zones. not_found: it is unknown; the detail names what was probably meant. unavailable: the
// machine has no zone database.
base::result<base::time_zone> find_place(std::string_view text);

} // namespace postrider::agent
