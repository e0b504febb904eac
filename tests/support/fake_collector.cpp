#include "tests/support/fake_collector.hpp"

#include "base/json/json.hpp"
#include "tests/support/fake_models/http_door.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/serialize.hpp>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace postrider::tests {

namespace asio = boost::asio;
namespace json = boost::json;
using tcp = asio::ip::tcp;

struct fake_collector::state {
    state() {
        handler = [this](door_request request) { return handle(std::move(request)); };
        asio::co_spawn(context, accept_all(), asio::detached);
        thread = std::thread([this] { context.run(); });
    }
    ~state() {
        context.stop();
        thread.join();
    }

    base::awaitable<void> accept_all() {
        for (;;) {
            auto connection = co_await listener.async_accept(asio::use_awaitable);
            asio::co_spawn(
                context, serve_connection(std::move(connection), handler), asio::detached
            );
        }
    }

    base::awaitable<door_answer> handle(door_request request) {
        collected_request seen{request.path, request.headers, request.body, nullptr};
        if (auto parsed = base::parse_json(request.body)) seen.body = std::move(*parsed);
        std::lock_guard const lock{mutex};
        requests.push_back(std::move(seen));
        came.notify_all();
        collector_answer next;
        if (!script.empty()) {
            next = script.front();
            script.pop_front();
        }
        door_answer answer;
        answer.status = next.status;
        answer.body = next.body;
        answer.headers["Content-Type"] = "application/json";
        if (!next.retry_after.empty()) answer.headers["Retry-After"] = next.retry_after;
        co_return answer;
    }

    asio::io_context context;
    tcp::acceptor listener{context, {asio::ip::address_v4::loopback(), 0}};
    door_handler handler;

    mutable std::mutex mutex; // guards what follows
    mutable std::condition_variable came;
    std::deque<collector_answer> script;
    std::vector<collected_request> requests;

    std::thread thread; // last: it uses all of the above
};

fake_collector::fake_collector() : state_(std::make_unique<state>()) {}
fake_collector::~fake_collector() = default;

std::string fake_collector::address() const {
    return "http://127.0.0.1:" + std::to_string(state_->listener.local_endpoint().port());
}

void fake_collector::answer(std::vector<collector_answer> next) {
    std::lock_guard const lock{state_->mutex};
    state_->script.assign(next.begin(), next.end());
}

bool fake_collector::wait_for(std::size_t requests, base::duration limit) const {
    std::unique_lock lock{state_->mutex};
    return state_->came.wait_for(lock, limit, [&] { return state_->requests.size() >= requests; });
}

std::vector<collected_request> fake_collector::requests() const {
    std::lock_guard const lock{state_->mutex};
    return state_->requests;
}

std::vector<json::object> fake_collector::spans() const {
    std::vector<json::object> all;
    for (auto const& request : requests())
        for (auto const& resource : request.body.at("resourceSpans").as_array())
            for (auto const& scope : resource.at("scopeSpans").as_array())
                for (auto const& span : scope.at("spans").as_array())
                    all.push_back(span.as_object());
    return all;
}

std::string attribute_of(json::object const& span, std::string_view key) {
    for (auto const& attribute : span.at("attributes").as_array()) {
        if (attribute.at("key") != json::value(key)) continue;
        auto const& content = attribute.at("value").as_object().begin()->value();
        return content.is_string() ? std::string(content.get_string()) : json::serialize(content);
    }
    return {};
}

json::object span_named(std::vector<json::object> const& spans, std::string_view name) {
    for (auto const& span : spans)
        if (span.at("name") == json::value(name)) return span;
    throw std::out_of_range("no span " + std::string(name));
}

} // namespace postrider::tests
