#include "server/app/todo_service.hpp"

#include "agent/todo/task_server.hpp"
#include "server/start/part_options.hpp"
#include "server/start/version.hpp"

namespace postrider::server {

namespace {

std::unique_ptr<storage::batcher> make_writes(
    boost::asio::any_io_executor executor, storage::database_options database
) {
    storage::batcher_options options;
    options.name = "tasks";
    options.fault_before = "tasks.before_commit";
    options.fault_after = "tasks.after_commit";
    return storage::make_batcher(std::move(executor), std::move(database), std::move(options));
}

} // namespace

todo_service::todo_service(
    boost::asio::any_io_executor executor,
    storage::database_options database,
    storage::batcher& reads,
    config const& settings
)
    : reads_(reads),
      writes_(make_writes(executor, std::move(database))),
      server_(agent::todo::make_task_server(
          {*writes_, reads, base::find_time_zone(settings.timezone).value()},
          std::string(this_version().product)
      )),
      caller_(std::move(executor), server_, {"postrider", std::string(this_version().product)}),
      hosts_(hosts_of(settings)) {}

} // namespace postrider::server
