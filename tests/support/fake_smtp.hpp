#pragma once
// A mail server that answers as a test says, and keeps what it was told.
#include "base/async.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::tests {

class fake_smtp {
public:
    using tcp = boost::asio::ip::tcp;
    // In place of the usual answer, by the command's first word; "." is the end of a mail, "" the greeting. An
    // empty answer closes the connection.
    using answers = std::map<std::string, std::string, std::less<>>;

    explicit fake_smtp(boost::asio::any_io_executor executor, answers unusual = {})
        : acceptor_(executor, tcp::endpoint{boost::asio::ip::address_v4::loopback(), 0}),
          unusual_(std::move(unusual)),
          tasks_(executor) {
        tasks_.spawn("smtp", accept());
    }

    std::string port() const { return std::to_string(acceptor_.local_endpoint().port()); }
    std::vector<std::string> const& lines() const { return lines_; } // commands
    std::vector<std::string> const& mails() const { return mails_; } // as they came

    // To be awaited at the end of the test.
    base::awaitable<void> finish() {
        tasks_.cancel();
        co_await tasks_.join();
    }

private:
    base::awaitable<void> accept() {
        for (;;) {
            auto socket = co_await acceptor_.async_accept(boost::asio::use_awaitable);
            tasks_.spawn("talk", talk(std::move(socket)));
        }
    }

    base::awaitable<void> talk(tcp::socket socket) {
        std::string unread;
        if (!co_await say(socket, answer_to("", "220 ready"))) co_return;
        for (;;) {
            auto line = co_await read(socket, unread, "\r\n");
            if (!line) co_return;
            lines_.push_back(*line);
            auto const word = line->substr(0, line->find(' '));
            if (!co_await say(socket, answer_to(word, usual_answer(word)))) co_return;
            if (word != "DATA" || unusual_.contains("DATA")) continue;
            auto mail = co_await read(socket, unread, "\r\n.\r\n");
            if (!mail) co_return;
            mails_.push_back(*mail);
            if (!co_await say(socket, answer_to(".", "250 taken"))) co_return;
        }
    }

    static std::string usual_answer(std::string_view word) {
        if (word == "EHLO") return "250-here\r\n250 AUTH PLAIN";
        if (word == "AUTH") return "334 ";
        if (word == "DATA") return "354 go on";
        if (word == "QUIT") return "221 bye";
        if (word == "MAIL" || word == "RCPT") return "250 ok";
        return "235 welcome"; // the password
    }
    std::string answer_to(std::string_view word, std::string usual) const {
        auto const unusual = unusual_.find(word);
        return unusual == unusual_.end() ? std::move(usual) : unusual->second;
    }

    static base::awaitable<bool> say(tcp::socket& socket, std::string answer) {
        if (answer.empty()) co_return false;
        answer += "\r\n";
        boost::system::error_code failure;
        co_await boost::asio::async_write(
            socket,
            boost::asio::buffer(answer),
            boost::asio::redirect_error(boost::asio::use_awaitable, failure)
        );
        co_return !failure;
    }

    // Without the end.
    static base::awaitable<std::optional<std::string>> read(
        tcp::socket& socket, std::string& unread, std::string_view end
    ) {
        boost::system::error_code failure;
        auto const size = co_await boost::asio::async_read_until(
            socket,
            boost::asio::dynamic_buffer(unread),
            end,
            boost::asio::redirect_error(boost::asio::use_awaitable, failure)
        );
        if (failure) co_return std::nullopt;
        auto text = unread.substr(0, size - end.size());
        unread.erase(0, size);
        co_return text;
    }

    tcp::acceptor acceptor_;
    answers unusual_;
    std::vector<std::string> lines_;
    std::vector<std::string> mails_;
    base::task_group tasks_;
};

} // namespace postrider::tests
