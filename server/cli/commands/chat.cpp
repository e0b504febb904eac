// `chat`: a conversation with an agent of the running server, over its HTTP API, as the owner.
#include "agent/language/command.hpp"
#include "agent/language/stop_words.hpp"
#include "server/cli/chat_turn.hpp"
#include "server/cli/conversation_client.hpp"
#include "server/cli/options.hpp"
#include "server/cli/own_server.hpp"
#include "server/start/config.hpp"
#include "server/terminal/chat_screen.hpp"
#include "server/terminal/line_terminal.hpp"

#include <ostream>
#include <unistd.h>

namespace postrider::cli {

namespace {

bool is_command(std::string_view line) {
    return agent::find_command(agent::command_of(line)) || agent::find_stop_word(line);
}

// What is said to the agent, and what is shown of it. stop() before it goes.
class talk {
public:
    talk(
        context const& in,
        conversation_client& client,
        base::asio::any_io_executor executor,
        bool is_terminal = false,
        terminal::line_terminal* terminal = nullptr
    )
        : in_(in),
          client_(client),
          screen_(is_terminal),
          is_terminal_(is_terminal),
          terminal_(terminal),
          commands_(std::move(executor)) {}

    chat_turn const& turn() const { return turn_; }

    // A message, or the answer to the question that the turn waits with; until the turn is over or
    // waits for a person. False where that is not what was asked for, and was told.
    base::awaitable<bool> say(std::string text) {
        auto const outcome = co_await exchange(std::move(text));
        if (!outcome) tell_failure(outcome.error());
        auto const& failure = turn_.failure();
        if (failure && !is_terminal_) in_.err << "postrider: " << *failure << '\n';
        co_return outcome && !failure;
    }

    base::awaitable<void> stop() {
        commands_.cancel();
        co_await commands_.join();
    }

private:
    base::awaitable<base::result<void>> exchange(std::string text) {
        auto const* question = turn_.question();
        auto const answer = question ? terminal::chosen_answer(*question, text) : std::nullopt;
        if (!answer) {
            turn_.begin();
            show(screen_.sent());
            co_await client_.say(std::move(text));
            co_return co_await listen();
        }
        auto const asked = question->id;
        turn_.note_answer();
        auto const taken = co_await client_.press(asked, answer->data);
        if (!taken) co_return taken.error();
        if (!*taken) show(screen_.note("this is no longer open"));
        co_return co_await listen();
    }

    base::awaitable<base::result<void>> listen() {
        while ((!turn_.is_over() || open_commands_ > 0) && !turn_.question()) {
            auto const event = co_await client_.next();
            if (!event) co_return event.error();
            turn_.hear(*event);
            show(screen_.hear(*event));
            tell_pause(pause_text(*event));
            say_commands();
        }
        co_return base::result<void>{};
    }

    // /stop would come too late behind the turn that it is to stop. Before the turn is known, it
    // could come too early.
    void say_commands() {
        while (terminal_ && turn_.runs()) {
            auto line = terminal_->take_if(is_command);
            if (!line) return;
            show(screen_.fresh_line() + line->shown);
            ++open_commands_;
            commands_.spawn("chat.command", say_beside(std::move(line->text)));
        }
    }

    // All else that its stream tells is told of the turn.
    base::awaitable<void> say_beside(std::string text) {
        std::function<void(terminal::chat_event const&)> const hear =
            [this](terminal::chat_event const& event) {
                if (event.type == "message" || event.type == "failed") show(screen_.hear(event));
            };
        auto const said = co_await client_.say_beside(std::move(text), hear);
        if (!said) tell_failure(said.error());
        --open_commands_;
        client_.wake();
    }

    void tell_failure(base::error const& reason) {
        if (is_terminal_)
            show(screen_.note("cannot talk: " + base::to_string(reason)));
        else
            fail(in_, "talk", reason);
    }

    // It may last for days, so silence would look like a defect.
    void tell_pause(std::string const& text) {
        if (text.empty()) return;
        show(screen_.note(text));
        if (!is_terminal_) in_.err << "postrider: " << text << std::endl;
    }

    void show(std::string text) {
        if (text.empty()) return;
        if (terminal_)
            terminal_->print(std::move(text));
        else
            in_.out << text << std::flush;
    }

    context const& in_;
    conversation_client& client_;
    terminal::chat_screen screen_;
    bool is_terminal_;
    terminal::line_terminal* terminal_; // null: nobody types
    chat_turn turn_;
    int open_commands_ = 0;
    base::task_group commands_;
};

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r") == text.npos;
}

struct chat_arguments {
    std::string agent;
    std::string address;
    std::vector<std::string> say;
};

void declare_chat(option_parser& parser, chat_arguments& args) {
    parser.add_option("--agent", args.agent, "A flow with a chat trigger, or an [agents.NAME]")
        ->type_name("NAME");
    add_address(parser, args.address);
    add_say(parser, args.say);
}

base::awaitable<int> say_all(
    context const& in, std::vector<std::string> const& texts, conversation_client& client
) {
    talk with(in, client, co_await boost::asio::this_coro::executor);
    for (auto const& text : texts) {
        bool const answered = co_await with.say(text);
        if (!answered) co_return 1;
    }
    if (with.turn().is_over()) co_return 0;
    in.err << "postrider: the turn waits for an answer\n";
    co_return 1;
}

terminal::terminal_options terminal_of(context const& in) {
    auto const kind = in.environment.find("TERM");
    return terminal::chat_terminal(
        kind == in.environment.end() ? std::string() : kind->second, in.configured.values.data
    );
}

// A turn that fails does not end it.
base::awaitable<int> talk_here(context const& in, conversation_client& client) {
    auto const executor = co_await boost::asio::this_coro::executor;
    auto options = terminal_of(in);
    options.on_line = [&client] { client.wake(); };
    auto const terminal = terminal::make_line_terminal(executor, in.out, std::move(options));
    bool const is_terminal = ::isatty(STDOUT_FILENO) == 1;
    talk with(in, client, executor, is_terminal, terminal.get());
    bool all_answered = true;
    while (auto line = co_await terminal->next()) {
        if (is_blank(*line)) continue;
        bool const answered = co_await with.say(std::move(*line));
        all_answered = all_answered && answered;
    }
    co_await with.stop();
    co_return all_answered || is_terminal ? 0 : 1;
}

base::awaitable<int> converse(context const& in, chat_arguments const& args, own_server& server) {
    conversation_client client(
        server, co_await boost::asio::this_coro::executor, base::system_random()
    );
    auto const opened = co_await client.begin(args.agent);
    if (!opened) co_return fail_to_ask(in, "begin a conversation", opened.error());
    int code = 0;
    if (args.say.empty())
        code = co_await talk_here(in, client);
    else
        code = co_await say_all(in, args.say, client);
    co_await client.stop();
    co_return code;
}

int run_chat(context const& in, chat_arguments const& args) {
    return ask_own_server(in, args.address, [&](own_server& server) {
        return converse(in, args, server);
    });
}

} // namespace

namespace commands {

extern constinit command const chat{
    .path = "chat",
    .summary = "Talk to an agent of the running server, as the configured owner",
    .example = R"(postrider chat
postrider chat --agent assistant --say "what is 6*7?")",
    .prepare = with_options<declare_chat, run_chat>,
    .json = false};

} // namespace commands

} // namespace postrider::cli
