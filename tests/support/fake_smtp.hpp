#pragma once
// A mail server that answers as a test says, and keeps what it was told. It may speak TLS, at once or once the
// client asks for it.
#include "base/async.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <map>
#include <optional>
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

    struct security {
        boost::asio::ssl::context& context;
        bool is_at_once = false; // else by STARTTLS
    };

    explicit fake_smtp(
        boost::asio::any_io_executor executor,
        answers unusual = {},
        std::optional<security> tls = std::nullopt
    )
        : acceptor_(executor, tcp::endpoint{boost::asio::ip::address_v4::loopback(), 0}),
          unusual_(std::move(unusual)),
          tls_(tls),
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
        bool becomes_tls = tls_ && tls_->is_at_once;
        if (!becomes_tls) {
            if (!co_await greet(socket)) co_return;
            becomes_tls = co_await listen(socket, tls_.has_value());
        }
        if (becomes_tls) co_await talk_by_tls(socket);
    }

    base::awaitable<void> talk_by_tls(tcp::socket& socket) {
        boost::asio::ssl::stream<tcp::socket&> stream(socket, tls_->context);
        boost::system::error_code failure;
        co_await stream.async_handshake(
            boost::asio::ssl::stream_base::server,
            boost::asio::redirect_error(boost::asio::use_awaitable, failure)
        );
        if (failure) co_return;
        bool is_open = true;
        if (tls_->is_at_once) is_open = co_await greet(stream);
        if (is_open) co_await listen(stream, false);
    }

    template<class Stream>
    base::awaitable<bool> greet(Stream& stream) {
        co_return co_await say(stream, answer_to("", "220 ready"));
    }

    // Until the talk ends, or is to become TLS: true then.
    template<class Stream>
    base::awaitable<bool> listen(Stream& stream, bool offers_tls) {
        std::string unread;
        for (;;) {
            auto line = co_await read(stream, unread, "\r\n");
            if (!line) co_return false;
            lines_.push_back(*line);
            auto const word = line->substr(0, line->find(' '));
            auto const usual = usual_answer(word, offers_tls);
            if (!co_await say(stream, answer_to(word, usual))) co_return false;
            if (offers_tls && word == "STARTTLS") co_return true;
            if (word != "DATA" || unusual_.contains("DATA")) continue;
            auto mail = co_await read(stream, unread, "\r\n.\r\n");
            if (!mail) co_return false;
            mails_.push_back(*mail);
            if (!co_await say(stream, answer_to(".", "250 taken"))) co_return false;
        }
    }

    static std::string usual_answer(std::string_view word, bool offers_tls) {
        if (word == "EHLO" && offers_tls) return "250-here\r\n250 STARTTLS";
        if (word == "STARTTLS") return "220 go on";
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

    template<class Stream>
    static base::awaitable<bool> say(Stream& stream, std::string answer) {
        if (answer.empty()) co_return false;
        answer += "\r\n";
        boost::system::error_code failure;
        co_await boost::asio::async_write(
            stream,
            boost::asio::buffer(answer),
            boost::asio::redirect_error(boost::asio::use_awaitable, failure)
        );
        co_return !failure;
    }

    // Without the end.
    template<class Stream>
    static base::awaitable<std::optional<std::string>> read(
        Stream& stream, std::string& unread, std::string_view end
    ) {
        boost::system::error_code failure;
        auto const size = co_await boost::asio::async_read_until(
            stream,
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
    std::optional<security> tls_;
    std::vector<std::string> lines_;
    std::vector<std::string> mails_;
    base::task_group tasks_;
};

} // namespace postrider::tests
