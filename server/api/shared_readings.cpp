#include "server/api/shared_readings.hpp"

#include "server/api/database_bounds.hpp"
#include "server/views/database_checks.hpp"
#include "storage/transact.hpp"

#include <fmt/format.h>

#include <string>

namespace postrider::api {

namespace {

using namespace std::chrono_literals;

constexpr base::duration overview_is_fresh = 3s;
constexpr base::duration attention_is_fresh = 5s;
constexpr base::duration bots_are_fresh = 30s;
constexpr base::duration groups_are_fresh = 60s;
constexpr base::duration diagnosis_is_fresh = 10s;

// Asks no server: one that hangs would make every reading late.
server::attention_sources look_around(std::optional<installation> const& installed) {
    server::attention_sources sources;
    if (!installed) return sources;
    sources.budgets = installed->settings.budgets;
    if (installed->groups) sources.groups = installed->groups->last_seen();
    for (auto const& state : installed->servers.states())
        if (state.failure)
            sources.failing_mcp_servers.push_back(
                {state.name, base::to_iso8601(*state.failing_since), state.failure->code}
            );
    return sources;
}

base::awaitable<base::result<server::attention>> read_shared_attention(
    storage::database& db, std::optional<installation> installed
) {
    auto sources = look_around(installed);
    auto read = [sources = std::move(sources)](storage::transaction& tx) {
        return server::read_attention(tx, sources);
    };
    co_return co_await storage::transact(
        db, "api.attention", std::move(read), database_waits.report
    );
}

base::awaitable<base::result<std::vector<server::bot_state>>> look_at_running_bots(
    std::optional<installation> installed
) {
    if (!installed || !installed->bots) co_return std::vector<server::bot_state>();
    co_return co_await installed->bots();
}

base::awaitable<base::result<std::vector<server::group_state>>> look_at_served_groups(
    std::optional<installation> installed
) {
    if (!installed || !installed->groups) co_return std::vector<server::group_state>();
    co_return co_await installed->groups->look();
}

server::findings describe_servers(agent::mcp::servers const& servers) {
    server::findings found;
    for (auto const& state : servers.states())
        if (state.failure)
            found.push_back(
                {"mcp " + state.name,
                 server::verdict::fail,
                 fmt::format(
                     "it has not answered this server since {}: {}. Agents go on without its tools",
                     base::to_iso8601(*state.failing_since),
                     to_string(state.failure->code)
                 ),
                 "postrider mcp tools " + server::in_shell(state.name)}
            );
    return found;
}

base::awaitable<base::result<server::findings>> examine_installation(
    storage::database& db,
    std::optional<installation> installed,
    agent::flow::validator const& validator
) {
    if (!installed) co_return server::findings();
    auto examine = [&settings = installed->settings, &validator](storage::transaction& tx) {
        server::findings found;
        (void)server::look_at_installation(tx, settings, validator, found);
        return found;
    };
    auto found =
        co_await storage::transact(db, "api.doctor", std::move(examine), database_waits.report);
    if (found) append(*found, describe_servers(installed->servers));
    co_return found;
}

} // namespace

shared_readings::shared_readings(
    storage::database& reports,
    base::clock const& clock,
    std::optional<installation> const& installed,
    agent::flow::validator const& validator
)
    : overview(
          clock,
          overview_is_fresh,
          [&reports] {
              return storage::transact(
                  reports, "api.overview", server::read_overview, database_waits.report
              );
          }
      ),
      attention(
          clock,
          attention_is_fresh,
          [&reports, installed] { return read_shared_attention(reports, installed); }
      ),
      bots(clock, bots_are_fresh, [installed] { return look_at_running_bots(installed); }),
      groups(clock, groups_are_fresh, [installed] { return look_at_served_groups(installed); }),
      doctor(clock, diagnosis_is_fresh, [&reports, installed, &validator] {
          return examine_installation(reports, installed, validator);
      }) {}

} // namespace postrider::api
