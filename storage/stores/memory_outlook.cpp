#include "storage/stores/memory_outlook.hpp"

#include <boost/json/array.hpp>

namespace postrider::storage {

void add_look(base::json_row& row, memory_look const& look) {
    row.add({"look_user", base::raw(look.user)});
    row.add({"look_chat", base::raw(look.chat)});
    row.add({"look_bot", base::raw(look.bot)});
    row.add({"look_older", most_older_counted});
}

memory_outlook memory_outlook_from(boost::json::value const& members) {
    return {
        .has_memories = members.at(0).as_bool(),
        .lacks_vectors = members.at(1).as_bool(),
        .read_job = job_id{members.at(2).as_int64()},
        .read_position = members.at(3).as_int64(),
        .waits = members.at(4).as_bool(),
        .older = {members.at(5).as_int64(), members.at(6).as_int64()}};
}

} // namespace postrider::storage
