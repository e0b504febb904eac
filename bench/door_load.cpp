#include "bench/door_load.hpp"

#include "bench/load_connection.hpp"
#include "bench/report.hpp"

#include <fmt/format.h>

#include <functional>
#include <stdexcept>

namespace postrider::bench {

namespace {

using next_request = std::function<std::string()>;

std::string post(std::string_view path, std::string_view token, std::string_view body) {
    return fmt::format(
        "POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        "Authorization: Bearer {}\r\nContent-Length: {}\r\n\r\n{}",
        path,
        token,
        body.size(),
        body
    );
}

// The id in {"conversation_id":"…"}.
std::string conversation_in(std::string_view body) {
    constexpr std::string_view name = R"("conversation_id":")";
    auto const at = body.find(name);
    if (at == body.npos) throw std::runtime_error("no conversation: " + std::string(body));
    return std::string(body.substr(at + name.size(), 36));
}

base::awaitable<std::vector<std::string>> begin_conversations(door_plan const& plan) {
    auto connection = co_await load_connection::open(plan.server);
    auto const request = post("/api/v1/conversations", plan.token, "{}");
    std::vector<std::string> all;
    for (int i = 0; i < plan.conversations; ++i) {
        auto const answer = co_await connection.exchange(request);
        all.push_back(conversation_in(answer.body));
    }
    co_return all;
}

base::awaitable<next_request> requests_of(door_plan const& plan, update_source updates) {
    auto shared = std::make_shared<update_source>(std::move(updates));
    if (plan.of == door::telegram) co_return [shared] { return shared->next().bytes; };
    if (plan.of == door::webhook)
        co_return [shared, path = plan.path, token = plan.token] {
            return post(path, token, shared->next_body());
        };
    auto conversations = co_await begin_conversations(plan);
    co_return [conversations = std::move(conversations), token = plan.token, n = std::size_t{0}](
              ) mutable {
        auto const& id = conversations[n++ % conversations.size()];
        auto const body = fmt::format(R"({{"text":"{} [{}]"}})", question, n);
        return post("/api/v1/conversations/" + id + "/messages", token, body);
    };
}

class door_load {
public:
    door_load(boost::asio::any_io_executor executor, door_plan plan, next_request next)
        : plan_(std::move(plan)),
          next_(std::move(next)),
          posters_(std::move(executor)) {}

    base::awaitable<void> run() {
        auto const begin = clock_.steady();
        for (int i = 0; i < plan_.connections; ++i) posters_.spawn("poster", keep_posting());
        co_await posters_.join();
        if (ended_ != plan_.connections) throw std::runtime_error("a connection broke");
        std::chrono::duration<double> const seconds = clock_.steady() - begin;
        fmt::print(
            "accepted={}\nrefused={}\naccepted_per_s={:.0f}\n{}",
            accepted_,
            refused_,
            static_cast<double>(accepted_) / seconds.count(),
            to_lines("accept", waits_)
        );
    }

private:
    base::awaitable<void> keep_posting() {
        auto connection = co_await load_connection::open(plan_.server);
        while (begun_ < plan_.requests) {
            ++begun_;
            auto const request = next_();
            auto const sent_at = clock_.steady();
            auto const answer = co_await connection.exchange(request);
            waits_.add(clock_.steady() - sent_at);
            ++(answer.status == 200 || answer.status == 202 ? accepted_ : refused_);
        }
        ++ended_;
    }

    door_plan plan_;
    next_request next_;
    base::clock& clock_ = base::system_clock();
    std::uint64_t begun_ = 0;
    std::uint64_t accepted_ = 0;
    std::uint64_t refused_ = 0;
    int ended_ = 0;
    samples waits_;
    base::task_group posters_;
};

} // namespace

base::awaitable<void> run_door(door_plan plan, update_source updates) {
    auto executor = co_await base::asio::this_coro::executor;
    auto next = co_await requests_of(plan, std::move(updates));
    door_load load{executor, std::move(plan), std::move(next)};
    co_await load.run();
}

} // namespace postrider::bench
