// `chat`: a conversation with an agent of the running server, over its HTTP API, as the owner.
#include "base/json.hpp"
#include "base/json_text.hpp"
#include "server/cli/command.hpp"
#include "server/cli/line_reader.hpp"
#include "server/cli/online_work.hpp"
#include "server/cli/own_server.hpp"
#include "server/cli/terminal_chat.hpp"
#include "server/start/admin_token.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <ostream>
#include <unistd.h>

namespace postrider::cli {

namespace {

using namespace std::chrono_literals;

constexpr std::string_view conversations = "/api/v1/conversations";
constexpr int longest_wait = 60; // seconds; the server's own bound

// The client's side of one conversation.
class talk {
public:
    talk(net::http_client& http, std::string origin, base::secret token)
        : http_(http),
          origin_(std::move(origin)),
          token_(std::move(token)) {}

    base::awaitable<base::result<void>> begin(std::string agent) {
        boost::json::object wish;
        if (!agent.empty()) wish["agent"] = agent;
        auto answer = co_await post(std::string(conversations), std::move(wish));
        if (!answer) co_return answer.error();
        id_ = base::json_reader{*answer}["conversation_id"].string_or("");
        co_return base::result<void>{};
    }

    // "" where the agent says nothing.
    base::awaitable<base::result<std::string>> say(std::string text) {
        auto const path = fmt::format("{}/{}/messages?wait={}", conversations, id_, longest_wait);
        boost::json::object message{{"text", text}};
        auto answer = co_await post(path, std::move(message));
        if (!answer) co_return answer.error();
        base::json_reader const body{*answer};
        if (answer->as_object().contains("reply")) co_return body["reply"].string_or("");
        co_return base::error(
            base::errc::timeout,
            fmt::format("no reply within a minute; job {} goes on", body["job_id"].int64_or(0))
        );
    }

private:
    // The answer's object; what a problem says otherwise.
    base::awaitable<base::result<boost::json::value>> post(
        std::string target, boost::json::object body
    ) {
        net::http_call call;
        call.origin = origin_;
        call.target = std::move(target);
        call.headers = {{"Content-Type", "application/json"}};
        call.body = base::json_text(body);
        call.first_byte_timeout = 90s;
        co_return co_await ask_own_server(http_, std::move(call), token_);
    }

    net::http_client& http_;
    std::string origin_;
    base::secret token_;
    std::string id_;
};

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r") == text.npos;
}

base::awaitable<int> say_all(context const& in, talk& with) {
    terminal_chat shown(false);
    for (auto const& text : in.args.say) {
        auto const reply = co_await with.say(text);
        if (!reply) co_return fail(in, "talk", reply.error());
        in.out << shown.reply(*reply) << std::flush;
    }
    co_return 0;
}

base::awaitable<int> talk_here(context const& in, talk& with) {
    terminal_chat shown(::isatty(STDOUT_FILENO) == 1);
    line_reader lines(co_await boost::asio::this_coro::executor, STDIN_FILENO);
    in.out << shown.prompt() << std::flush;
    for (;;) {
        auto line = co_await lines.next();
        if (!line) co_return 0;
        in.out << shown.entered();
        if (is_blank(*line)) {
            in.out << shown.prompt() << std::flush;
            continue;
        }
        in.out << shown.typing() << std::flush;
        auto const reply = co_await with.say(std::move(*line));
        if (!reply) co_return fail(in, "talk", reply.error());
        in.out << shown.reply(*reply) << std::flush;
    }
}

base::awaitable<int> converse(context const& in, net::http_client& http, std::string origin) {
    auto token = server::find_admin_token(in.configured.values, base::system_random()).value;
    talk with(http, std::move(origin), std::move(token));
    auto begun = co_await with.begin(in.args.agent);
    if (!begun) co_return fail(in, "begin a conversation", begun.error());
    if (in.args.say.empty()) co_return co_await talk_here(in, with);
    co_return co_await say_all(in, with);
}

} // namespace

int chat(context const& in) {
    auto const& listen = in.args.address.empty() ? in.configured.values.listen : in.args.address;
    auto const origin = origin_of(listen);
    if (!origin) return fail(in, "ask " + listen, origin.error());
    return run_online([&](net::http_client& http) { return converse(in, http, *origin); });
}

} // namespace postrider::cli
