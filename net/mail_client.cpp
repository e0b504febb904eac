#include "net/mail_client.hpp"

#include "base/taken_place.hpp"
#include "net/public_address.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <arpa/inet.h>
#include <cstring>
#include <curl/curl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace postrider::net {

namespace asio = boost::asio;
using base::errc;
using base::error;

namespace {

constexpr int most_mails = 32; // on their way
constexpr std::size_t most_sending = 4;
constexpr int later_status = 400;
constexpr int refusal_status = 500;

using stop_flag = std::shared_ptr<std::atomic<bool>>;

// A mail, and all that ends it early.
struct mail_talk {
    mail_talk(
        outgoing_mail draft,
        std::string certificates,
        base::steady_time latest,
        stop_flag client_closed
    )
        : mail(std::move(draft)),
          ca_file(std::move(certificates)),
          end(latest),
          closed(std::move(client_closed)) {}

    outgoing_mail mail;
    std::string ca_file;
    base::steady_time end;
    stop_flag closed;
    std::atomic<bool> cancelled = false;

    bool is_stopped() const noexcept { return *closed || cancelled; }
};

struct easy_deleter {
    void operator()(CURL* handle) const noexcept { curl_easy_cleanup(handle); }
};
struct list_deleter {
    void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};

// What the functions that libcurl calls work with.
struct transfer {
    mail_talk const& talk;
    std::size_t sent = 0;
    std::string_view refusal = {}; // of an address; "" = none was refused
};

std::size_t read_mail(char* into, std::size_t size, std::size_t count, void* context) {
    auto& state = *static_cast<transfer*>(context);
    auto const rest = std::string_view(state.talk.mail.text).substr(state.sent);
    auto const piece = rest.substr(0, size * count);
    std::memcpy(into, piece.data(), piece.size());
    state.sent += piece.size();
    return piece.size();
}

int look_whether_stopped(void* context, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<transfer*>(context)->talk.is_stopped() ? 1 : 0;
}

std::optional<asio::ip::address> address_of(sockaddr const& socket_address) {
    char text[INET6_ADDRSTRLEN] = {};
    void const* bytes = nullptr;
    if (socket_address.sa_family == AF_INET)
        bytes = &reinterpret_cast<sockaddr_in const&>(socket_address)
                     .sin_addr; // NOLINT: as sockets have it
    else if (socket_address.sa_family == AF_INET6)
        bytes = &reinterpret_cast<sockaddr_in6 const&>(socket_address).sin6_addr; // NOLINT
    if (!bytes || !inet_ntop(socket_address.sa_family, bytes, text, sizeof text))
        return std::nullopt;
    boost::system::error_code failure;
    auto const address = asio::ip::make_address(text, failure);
    return failure ? std::nullopt : std::optional(address);
}

curl_socket_t open_socket(void* context, curlsocktype, curl_sockaddr* destination) {
    auto& state = *static_cast<transfer*>(context);
    auto const address = address_of(destination->addr);
    auto const& mail = state.talk.mail;
    bool const is_outside = address && is_public(*address);
    if (is_outside && mail.security == mail_security::none)
        state.refusal = "a mail leaves this network with TLS only";
    else if (!is_outside && !mail.may_be_private)
        state.refusal = "the mail server's address is not public";
    else
        state.refusal = {};
    if (!state.refusal.empty()) return CURL_SOCKET_BAD;
    return socket(destination->family, destination->socktype | SOCK_CLOEXEC, destination->protocol);
}

error failure_of_transfer(CURLcode code, long status, transfer const& state) {
    if (!state.refusal.empty() && state.sent == 0)
        return {errc::refused, std::string(state.refusal)};
    bool const was_answered = status >= later_status && code != CURLE_OPERATION_TIMEDOUT;
    if (code == CURLE_LOGIN_DENIED)
        return {errc::unauthorized, "the mail server refuses the login"};
    if (was_answered) {
        auto const refusal = fmt::format("the mail server answers {}", status);
        return {status >= refusal_status ? errc::refused : errc::unavailable, refusal};
    }
    if (state.sent > 0) return {errc::ambiguous, "the mail server did not confirm the mail"};
    switch (code) {
    case CURLE_USE_SSL_FAILED:
        return {errc::refused, "the mail server has no TLS"};
    case CURLE_PEER_FAILED_VERIFICATION:
        return {errc::refused, "the mail server's certificate is not valid"};
    case CURLE_OPERATION_TIMEDOUT:
        return {errc::timeout, "the mail server did not answer in time"};
    default:
        return {
            errc::unavailable,
            fmt::format("the mail server cannot be reached: {}", curl_easy_strerror(code))};
    }
}

std::unique_ptr<curl_slist, list_deleter> recipients_of(outgoing_mail const& mail) {
    curl_slist* list = nullptr;
    for (auto const& address : mail.to)
        list = curl_slist_append(list, ("<" + address + ">").c_str());
    return std::unique_ptr<curl_slist, list_deleter>(list);
}

void set_security(CURL* handle, outgoing_mail const& mail) {
    bool const is_starttls = mail.security == mail_security::starttls;
    auto const scheme = mail.security == mail_security::tls ? "smtps" : "smtp";
    auto const url = fmt::format("{}://{}:{}", scheme, mail.host, mail.port);
    curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, scheme);
    curl_easy_setopt(handle, CURLOPT_USE_SSL, long{is_starttls ? CURLUSESSL_ALL : CURLUSESSL_NONE});
    curl_easy_setopt(handle, CURLOPT_SSLVERSION, long{CURL_SSLVERSION_TLSv1_2});
    if (mail.user.empty()) return;
    curl_easy_setopt(handle, CURLOPT_USERNAME, mail.user.c_str());
    curl_easy_setopt(handle, CURLOPT_PASSWORD, mail.password.reveal().c_str());
}

// Blocks.
base::result<void> transfer_mail(mail_talk const& talk) {
    auto const& mail = talk.mail;
    auto const remaining =
        std::chrono::ceil<std::chrono::milliseconds>(talk.end - base::system_clock().steady());
    // No time-out of libcurl's is zero: that is none.
    if (remaining <= remaining.zero()) return error(errc::timeout, "too many mails were before it");
    if (talk.is_stopped()) return error(errc::unavailable, "it was stopped before it was sent");
    static auto const is_ready = curl_global_init(CURL_GLOBAL_DEFAULT);
    std::unique_ptr<CURL, easy_deleter> const handle(curl_easy_init());
    if (is_ready != CURLE_OK || !handle) return error(errc::internal, "libcurl does not start");
    transfer state{talk};
    auto* const easy = handle.get();
    auto const recipients = recipients_of(mail);
    set_security(easy, mail);
    if (!talk.ca_file.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, talk.ca_file.c_str());
    curl_easy_setopt(easy, CURLOPT_PROXY, ""); // no variable of the environment leads elsewhere
    curl_easy_setopt(easy, CURLOPT_MAIL_FROM, ("<" + mail.from + ">").c_str());
    curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, recipients.get());
    curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, read_mail);
    curl_easy_setopt(easy, CURLOPT_READDATA, &state);
    curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, look_whether_stopped);
    curl_easy_setopt(easy, CURLOPT_XFERINFODATA, &state);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, &state);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(remaining.count()));
    auto const code = curl_easy_perform(easy);
    if (code == CURLE_OK) return {};
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    return failure_of_transfer(code, status, state);
}

base::awaitable<base::result<void>> transfer_here(std::shared_ptr<mail_talk const> talk) {
    co_return transfer_mail(*talk);
}

// Stops the talk when the coroutine that waits for it is cancelled. Not by Asio's own way: a coroutine on
// another thread that never waits throws past its end when it is cancelled.
class cancelled_with {
public:
    cancelled_with(asio::cancellation_slot slot, std::shared_ptr<mail_talk> const& talk)
        : slot_(slot) {
        if (slot_.is_connected())
            slot_.assign([talk](asio::cancellation_type) { talk->cancelled = true; });
    }
    ~cancelled_with() {
        if (slot_.is_connected()) slot_.clear();
    }
    cancelled_with(cancelled_with const&) = delete;
    cancelled_with& operator=(cancelled_with const&) = delete;

private:
    asio::cancellation_slot slot_;
};

} // namespace

bool is_mail_address(std::string_view text) noexcept {
    constexpr std::size_t longest = 254;
    auto const at = text.rfind('@');
    bool const has_parts = at != text.npos && at > 0 && at + 1 < text.size();
    return has_parts && text.size() <= longest && text.find('@') == at &&
           std::ranges::none_of(text, [](char c) {
               auto const byte = static_cast<unsigned char>(c);
               return byte <= 0x20 || byte >= 0x7f || std::strchr("<>()[],;:\"\\", c);
           });
}

struct mail_client::threads {
    asio::thread_pool pool{most_sending};
};

mail_client::mail_client(std::string ca_file)
    : ca_file_(std::move(ca_file)),
      closed_(std::make_shared<std::atomic<bool>>(false)) {}

mail_client::~mail_client() {
    close();
}

void mail_client::close() noexcept {
    *closed_ = true;
}

base::awaitable<base::result<void>> mail_client::send(outgoing_mail mail) {
    if (*closed_) co_return error(errc::unavailable, "the server stops");
    if (running_ >= most_mails)
        co_return error(errc::overloaded, "too many mails are on their way");
    if (!threads_) threads_ = std::make_unique<threads>();
    base::taken_place const taken(running_);
    auto const end = base::system_clock().steady() + mail.deadline;
    auto const talk = std::make_shared<mail_talk>(std::move(mail), ca_file_, end, closed_);
    auto const state = co_await asio::this_coro::cancellation_state;
    cancelled_with const stopping(state.slot(), talk);
    co_return co_await asio::co_spawn(
        threads_->pool,
        transfer_here(talk),
        asio::bind_cancellation_slot(asio::cancellation_slot(), asio::use_awaitable)
    );
}

} // namespace postrider::net
