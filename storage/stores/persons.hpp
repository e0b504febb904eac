#pragma once
// What people have set for themselves, wherever they said it: a row for each person who has.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <string>
#include <string_view>

namespace postrider::storage {

struct person_settings {
    std::string timezone = {}; // an IANA name; "" = not set
    std::string language = {}; // a code such as "de"; "" = not set

    bool operator==(person_settings const&) const = default;
};

// The last one of a person stands; "" takes it away. Order 65; returns no row.
write set_timezone(user_id user, std::string_view timezone);
// Likewise. Order 66.
write set_language(user_id user, std::string_view language);

// Empty: the person has set nothing. Fails as batcher::commit().
base::awaitable<base::result<person_settings>> read_person(
    batcher& reads, user_id user, base::duration deadline
);

} // namespace postrider::storage
