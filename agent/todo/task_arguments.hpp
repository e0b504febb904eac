#pragma once
// Arguments of the todo tools, which fit their schemas, as what the store takes; and tasks as their
// results. Pure. Private to the todo server.
//
// A day alone, and a time without an offset, are those of the time zone; a day is due at 9 o'clock.
#include "base/time_zone.hpp"
#include "storage/stores/tasks.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent::todo {

// Without blanks around it, and with one where there are several, or a line ends. invalid: nothing
// is left.
base::result<std::string> read_task_title(boost::json::object const& arguments);
storage::task_id read_task_id(boost::json::object const& arguments);
// invalid, as the next: a time that cannot be read.
base::result<storage::task_content> read_task_content(
    boost::json::object const& arguments, base::time_zone const& zone
);
base::result<storage::task_changes> read_task_changes(
    boost::json::object const& arguments, base::time_zone const& zone
);
base::result<storage::task_filter> read_task_filter(
    boost::json::object const& arguments, base::time_zone const& zone
);

boost::json::object to_json(storage::task_row const& task, base::time_zone const& zone);
boost::json::object to_json(storage::task_page const& page, base::time_zone const& zone);

} // namespace postrider::agent::todo
