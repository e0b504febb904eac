#include "net/redis_client.hpp"

#include "base/backoff.hpp"
#include "net/connection.hpp"
#include "net/public_address.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace postrider::net {

namespace asio = boost::asio;
using base::awaitable;
using base::errc;
using base::error;
using replies = std::vector<redis_reply>;

namespace {

constexpr std::size_t most_idle_redis = 4; // connections to one server
constexpr std::size_t redis_read_size = 16'384;

// Between tries to reach a server that is away.
constexpr base::retry_policy redis_pauses{
    .delay = std::chrono::milliseconds{200}, .backoff = base::backoff_shape::exponential};
constexpr std::chrono::milliseconds longest_redis_pause{5'000};
constexpr double no_jitter = 0.5;
constexpr int most_counted_failures = 10;

// A connection with what was read of it.
struct redis_talk {
    std::unique_ptr<connection> to_server;
    redis_reader reader;
};

error lost_redis(bool is_late) {
    if (is_late) return {errc::timeout, "Redis did not answer in time"};
    return {errc::unavailable, "the connection to Redis was lost"};
}

awaitable<base::result<void>> send(redis_talk& talk, std::vector<redis_command> const& commands) {
    std::string bytes;
    for (auto const& command : commands) bytes += redis_bytes(command);
    std::array<asio::const_buffer, 2> const buffers{asio::buffer(bytes), asio::const_buffer()};
    boost::system::error_code ec;
    co_await talk.to_server->write(buffers, ec);
    if (ec) co_return lost_redis(talk.to_server->late());
    co_return base::result<void>{};
}

awaitable<base::result<redis_reply>> next_reply(redis_talk& talk) {
    std::array<char, redis_read_size> bytes;
    for (;;) {
        auto reply = talk.reader.next();
        if (!reply) co_return reply.error();
        if (*reply) co_return std::move(**reply);
        boost::system::error_code ec;
        auto const size = co_await talk.to_server->read_some(asio::buffer(bytes), ec);
        if (ec) co_return lost_redis(talk.to_server->late());
        talk.reader.feed({bytes.data(), size});
    }
}

// One after the other; the first failure of the server is the failure, once all are read.
awaitable<base::result<replies>> talk_over(
    redis_talk& talk, std::vector<redis_command> const& commands
) {
    auto sent = co_await send(talk, commands);
    if (!sent) co_return sent.error();
    replies answers;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        auto reply = co_await next_reply(talk);
        if (!reply) co_return reply.error();
        answers.push_back(std::move(*reply));
    }
    co_return answers;
}

base::result<void> first_failure(replies const& answers) {
    // Of a transaction that is refused, the command's own failure tells more than the last one's.
    for (auto const& reply : answers)
        if (reply.kind == redis_reply::kind::failure) return redis_failure(reply.text);
    return {};
}

std::vector<redis_command> greeting_of(redis_server const& server) {
    std::vector<redis_command> commands;
    if (!server.password.empty()) {
        redis_command login{"AUTH"};
        if (!server.user.empty()) login.push_back(server.user);
        login.push_back(server.password.reveal());
        commands.push_back(std::move(login));
    }
    if (server.database != 0) commands.push_back({"SELECT", std::to_string(server.database)});
    return commands;
}

} // namespace

struct redis_client::impl {
    impl(asio::any_io_executor executor, std::string const& ca_file)
        : names(executor),
          trust(executor, ca_file) {}

    // Of one server and login.
    struct server_state {
        std::vector<std::unique_ptr<redis_talk>> idle;
        int failures = 0; // to reach it, one after the other
        error last_failure = {};
        base::steady_time not_before{};
    };
    using server_key = std::tuple<std::string, std::string, int, bool, std::string, std::string>;

    server_state& state_of(redis_server const& server) {
        return servers[server_key{
            server.host,
            server.port,
            server.database,
            server.tls,
            server.user,
            server.password.reveal()}];
    }

    awaitable<base::result<std::unique_ptr<redis_talk>>> open(
        redis_server const& server, base::steady_time deadline
    ) {
        auto& state = state_of(server);
        while (!state.idle.empty()) {
            auto talk = std::move(state.idle.back());
            state.idle.pop_back();
            if (talk->to_server->quiet()) co_return std::move(talk);
        }
        if (base::system_clock().steady() < state.not_before) co_return state.last_failure;
        auto talk = co_await connect_to(server, deadline);
        if (talk)
            state.failures = 0;
        else
            put_off(state, talk.error());
        co_return std::move(talk);
    }

    static void put_off(server_state& state, error failure) {
        state.last_failure = std::move(failure);
        state.failures = std::min(state.failures + 1, most_counted_failures);
        auto const pause = std::min(
            base::retry_delay(redis_pauses, state.failures, no_jitter), longest_redis_pause
        );
        state.not_before = base::system_clock().steady() + pause;
    }

    awaitable<base::result<std::unique_ptr<redis_talk>>> connect_to(
        redis_server const& server, base::steady_time deadline
    ) {
        auto addresses = co_await names.resolve(server.host, server.port, deadline);
        if (!addresses) co_return addresses.error();
        if (!server.may_be_private)
            std::erase_if(*addresses, [](auto const& at) { return !is_public(at.address()); });
        if (addresses->empty())
            co_return error(errc::refused, "the address of Redis may not be reached");
        origin place;
        place.tls = server.tls;
        place.host = server.host;
        place.port = server.port;
        auto connected = co_await connect(trust, place, std::move(*addresses), deadline);
        if (!connected) co_return connected.error();
        auto talk = std::make_unique<redis_talk>();
        talk->to_server = std::move(*connected);
        talk->to_server->expect_before(deadline);
        auto const greeting = greeting_of(server);
        auto const greeted = co_await talk_over(*talk, greeting);
        if (!greeted) co_return greeted.error();
        if (auto const accepted = first_failure(*greeted); !accepted) co_return accepted.error();
        co_return std::move(talk);
    }

    void keep(redis_server const& server, std::unique_ptr<redis_talk> talk) {
        auto& state = state_of(server);
        if (is_closed || state.idle.size() >= most_idle_redis) return;
        talk->to_server->rest();
        state.idle.push_back(std::move(talk));
    }

    resolver names;
    tls_trust trust;
    std::map<server_key, server_state> servers;
    bool is_closed = false;
};

redis_client::redis_client(asio::any_io_executor executor, std::string const& ca_file)
    : impl_(std::make_unique<impl>(std::move(executor), ca_file)) {}
redis_client::~redis_client() = default;

void redis_client::close() noexcept {
    impl_->is_closed = true;
    for (auto& [key, state] : impl_->servers) state.idle.clear();
}

awaitable<base::result<replies>> redis_client::ask(
    redis_server server, std::vector<redis_command> commands, base::duration limit
) {
    if (impl_->is_closed) co_return error(errc::unavailable, "this process is stopping");
    auto const deadline = base::system_clock().steady() + limit;
    commands.insert(commands.begin(), redis_command{"MULTI"});
    commands.push_back({"EXEC"});
    auto talk = co_await impl_->open(server, deadline);
    if (!talk) co_return talk.error();
    (*talk)->to_server->expect_before(deadline);
    auto answers = co_await talk_over(**talk, commands);
    if (!answers) co_return answers.error();
    auto const accepted = first_failure(*answers);
    auto results = std::move(answers->back().items);
    impl_->keep(server, std::move(*talk));
    if (!accepted) co_return accepted.error();
    if (auto const done = first_failure(results); !done) co_return done.error();
    if (results.size() + 2 != commands.size())
        co_return error(errc::invalid, "what answered is no Redis");
    co_return results;
}

} // namespace postrider::net
