// `chat`: a conversation with an agent of the running server, over its HTTP API, as the owner.
#include "base/json.hpp"
#include "base/json_text.hpp"
#include "server/cli/line_reader.hpp"
#include "server/cli/online_work.hpp"
#include "server/cli/options.hpp"
#include "server/cli/own_server.hpp"
#include "server/cli/terminal_chat.hpp"

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
    explicit talk(own_server& server) : server_(server) {}

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
        call.target = std::move(target);
        call.headers = {{"Content-Type", "application/json"}};
        call.body = base::json_text(body);
        call.first_byte_timeout = 90s;
        co_return co_await server_.ask(std::move(call));
    }

    own_server& server_;
    std::string id_;
};

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r") == text.npos;
}

struct arguments {
    std::string agent;
    std::string address;
    std::vector<std::string> say;
};

void declare(CLI::App& parser, arguments& args) {
    parser.add_option("--agent", args.agent, "A flow with a chat trigger, or an [agents.NAME]")
        ->type_name("NAME");
    add_address(parser, args.address);
    add_say(parser, args.say);
}

base::awaitable<int> say_all(context const& in, std::vector<std::string> const& texts, talk& with) {
    terminal_chat shown(false);
    for (auto const& text : texts) {
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

base::awaitable<int> converse(context const& in, arguments const& args, own_server& server) {
    talk with(server);
    auto begun = co_await with.begin(args.agent);
    if (!begun) co_return fail(in, "begin a conversation", begun.error());
    if (args.say.empty()) co_return co_await talk_here(in, with);
    co_return co_await say_all(in, args.say, with);
}

int run(context const& in, arguments const& args) {
    return ask_own_server(in, args.address, [&](own_server& server) {
        return converse(in, args, server);
    });
}

} // namespace

namespace commands {

extern constinit command const chat{
    .path = "chat",
    .summary = "Talk to an agent of the running server",
    .example = R"(postrider chat
postrider chat --agent assistant --say "what is 6*7?")",
    .prepare = with_options<declare, run>,
    .json = false};

} // namespace commands

} // namespace postrider::cli
