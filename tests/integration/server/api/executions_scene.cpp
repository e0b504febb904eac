#include "tests/integration/server/api/executions_scene.hpp"

#include "agent/flow/library/library.hpp"
#include "base/random.hpp"
#include "tests/support/flow_builder.hpp"

#include <fmt/format.h>

namespace postrider::tests {

namespace {

namespace flow = agent::flow;

// Version 5 asks nothing.
auto const asking_greeting =
    flow_builder("greeting")
        .trigger("Start", "manual")
        .node("Ask", "wait", {{"event", "reply"}})
        .node("Note", "set", {{"fields", {{"name", "{{ $json.event.name }}"}}}})
        .text();
auto const plain_greeting = flow_builder("greeting")
                                .trigger("Start", "manual")
                                .node("Note", "set", {{"fields", {{"name", "nobody"}}}})
                                .text();

std::shared_ptr<flow::graph const> compile(std::string_view text, flow::catalog const& types) {
    auto read = flow::read_definition(text);
    auto compilation = flow::graph::compile(std::get<flow::definition>(std::move(read)), types);
    return std::get<std::shared_ptr<flow::graph const>>(std::move(compilation));
}

storage::batcher_options reading() {
    storage::batcher_options options;
    options.name = "reads";
    options.read_only = true;
    return options;
}

} // namespace

char const* const executions = R"sql(
insert into postrider.flow (flow_id, name, draft) overriding system value values (901, 'greeting', '{}');
insert into postrider.flow_version (flow_id, version, document) values (901, 3, '{}'), (901, 5, '{}');
update postrider.flow set published_version = 5 where flow_id = 901;
insert into postrider.job (job_id, lane_id, conversation_id, arrival, created_at, started_at, finished_at,
                           state, kind, run_no, tokens_in, tokens_out, input, output, error_class, error, due_at)
values (51, 1, 9, 0, '2026-11-21T10:00:00Z', '2026-11-21T10:00:01Z', '2026-11-21T10:00:05Z', 'completed', 'flow', 2,
        100, 7, '{"flow": "greeting", "version": 3, "data": {"token": "x", "text": "hi"}}',
        '{"nodes": {}}', null, null, null),
       (52, 1, 9, 0, '2026-11-21T10:01:00Z', '2026-11-21T10:01:01Z', null, 'waiting', 'flow', 1,
        null, null, '{"flow": "greeting", "version": 3, "start": "start", "data": {}}', null, null, null,
        '2036-11-21T10:00:00Z'),
       (53, 1, 9, 0, '2026-11-21T10:02:00Z', '2026-11-21T10:02:01Z', '2026-11-21T10:02:02Z', 'failed', 'flow', 1,
        null, null, '{"flow": "greeting", "version": 5}', null, 'timeout', 'its deadline has passed', null);
insert into postrider.wait (job_id, lane_id, until_at, key, type)
values (52, 1, '2036-11-21T10:00:00Z', 'ask/event', 'reply');
insert into postrider.step (job_id, attempt, seq, started_at, ended_at, node_id, key, outcome, result)
values (51, 1, 1, '2026-11-21T10:00:04Z', '2026-11-21T10:00:04.5Z', 3, 'ask/event', 'done',
        '{"name": "Ann", "password": "x"}');
)sql";

executions_scene::executions_scene(
    boost::asio::any_io_executor executor,
    storage::database_options const& database,
    base::clock& clock
)
    : hub(executor),
      graphs_{{3, compile(asking_greeting, types_)}, {5, compile(plain_greeting, types_)}},
      reads_(storage::make_batcher(executor, database, reading())),
      services_{
          .reads = *reads_,
          .out = chat,
          .clock = clock,
          .random = base::system_random(),
          .model = [](auto const&) { return base::error(base::errc::not_found, "no model here"); },
          .find_flow =
              [this](std::string name, std::int64_t version) { return find(name, version); },
          .compile = [this](
                         auto const& name, auto const& document
                     ) { return flow::compile_draft(name, document, types_); },
          .current_version = [](std::string_view) { return 5; },
          .watcher = [this](job_id job, lane_id) { return hub.of(job); }} {}

executions_scene::~executions_scene() {
    reads_->close();
}

base::awaitable<base::result<executions_scene::graph_ptr>> executions_scene::find(
    std::string name, std::int64_t version
) {
    auto const found = graphs_.find(version);
    if (name != "greeting" || found == graphs_.end())
        co_return base::error(
            base::errc::not_found, fmt::format("there is no version {} of {}", version, name)
        );
    co_return found->second;
}

} // namespace postrider::tests
