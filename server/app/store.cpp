#include "server/app/store.hpp"

namespace postrider::server {

store::store(surroundings const& in, std::vector<std::string> const& bots, server::mode mode)
    : ready(prepare(in.settings, bots, mode, in.random)),
      postgres(storage::connect(
          in.executor,
          ready.database.options,
          [&health = in.health](auto const& reason) { health.commits_refused(reason); }
      )) {
    in.health.watch_commits([this] { return postgres.oldest_commit(); });
}

} // namespace postrider::server
