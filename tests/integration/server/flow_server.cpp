#include "tests/integration/server/flow_server.hpp"

#include "agent/flow/library/lifecycle.hpp"

#include <stdexcept>

namespace postrider::tests {

namespace {

using namespace std::chrono_literals;

queue::engine_options quick_engine() {
    queue::engine_options options;
    options.slots = 16;
    options.longest_poll = 50ms;
    options.idle_poll = 50ms;
    return options;
}

net::http_server_options any_port() {
    net::http_server_options options;
    options.listen = "127.0.0.1:0";
    return options;
}

base::awaitable<bool> poll(test_database const& of, std::string sql, std::string wanted) {
    for (int i = 0; i < 500; ++i) {
        if (of.value(sql) == wanted) co_return true;
        co_await base::sleep_for(20ms);
    }
    co_return false;
}

} // namespace

flow_server::flow_server(test_database const& database)
    : postgres(storage::connect(io.executor(), database.options())),
      database_(database),
      limits_(queue::make_limiter(io.executor(), *postgres.quick, base::system_clock())),
      engine_(queue::make_engine(
          io.executor(),
          {*postgres.checkpoints,
           *postgres.quick,
           *postgres.beats,
           *postgres.db,
           base::system_clock(),
           base::system_random(),
           limits_.get()},
          quick_engine()
      )),
      slots_(*engine_, nullptr),
      executions_(*postgres.intake, slots_, base::system_clock()) {
    for (auto& kind : agent::flow::make_executions(services_)) engine_->add(std::move(kind));
}

flow_server::~flow_server() {
    client->close();
    if (server_) io.run(server_->drain(base::duration::zero()));
    io.run(engine_->drain(base::duration::zero()));
    postgres.close();
}

agent::flow::node_services flow_server::services() {
    auto service_set = assistant_services(
        *postgres.reads, out_, base::system_clock(), base::system_random(), {&model}
    );
    service_set.find_flow = [this](std::string name, std::int64_t version) {
        return library.find(std::move(name), version);
    };
    service_set.compile = [this](auto const& name, auto const& document) {
        return agent::flow::compile_draft(name, document, types);
    };
    service_set.current_version = [this](auto name) { return library.current_version(name); };
    service_set.watcher = [this](job_id job, lane_id lane) { return live.of(job, lane); };
    service_set.spam = &spam_;
    return service_set;
}

void flow_server::publish(std::string_view document) {
    auto work = [this, text = std::string(document)](storage::transaction& tx) {
        agent::flow::validator const validator{&types, {}};
        auto const read = agent::flow::read_candidate(text, validator);
        if (!read) throw std::invalid_argument(read.error().detail);
        auto const result = agent::flow::import(tx, *read, {true, true}, {"test"}, validator);
        if (!result) throw std::invalid_argument(result.error().detail);
    };
    io.run(postgres.db->run("test.publish", std::move(work), 10s)).value();
    io.run(library.refresh()).value();
}

void flow_server::serve(std::vector<net::route> routes) {
    server_ = net::make_http_server(io.executor(), any_port(), net::router(std::move(routes)));
    server_->start().value();
}

void flow_server::start_engine() {
    io.run(library.refresh()).value();
    io.run(limits_->start({})).value();
    io.run(engine_->start()).value();
}

net::http_call flow_server::call_of(
    std::string method, std::string target, net::header_list headers, std::string body
) const {
    net::http_call call;
    call.method = std::move(method);
    call.origin = "http://" + server_->address();
    call.target = std::move(target);
    call.headers = std::move(headers);
    call.body = std::move(body);
    return call;
}

net::http_answer flow_server::send(
    std::string method, std::string target, net::header_list headers, std::string body
) {
    auto call = call_of(std::move(method), std::move(target), std::move(headers), std::move(body));
    return io.run(client->send(std::move(call)), 30s).value();
}

void flow_server::until(std::string sql, std::string wanted) {
    if (!io.run(poll(database_, sql, wanted), 15s))
        throw std::runtime_error(sql + " is " + database_.value(sql) + ", not " + wanted);
}

} // namespace postrider::tests
