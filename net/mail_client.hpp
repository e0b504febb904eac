#pragma once
// Sends mail to a server that takes it: SMTP by libcurl, on threads of its own, since libcurl blocks.
//
// Each address is judged after its name was resolved and is the one that is connected to. A mail has one
// deadline, in which it also waits for others: nothing begins behind it. A failure tells whether the mail may
// have been sent:
//   unavailable, timeout  no server was reached, or it says to come again (4xx): not sent
//   unauthorized  the server does not take the password: not sent
//   refused       the server declines (5xx), has no TLS where it must, or its address may not be reached: not
//                 sent
//   ambiguous     the mail was on its way and no answer came: may have been sent
//   overloaded    too many mails are on their way: not sent
// Details hold no address of a person and nothing of a password.
#include "base/async.hpp"
#include "base/secret.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace postrider::net {

enum class mail_security {
    starttls, // the talk becomes TLS before anything is said
    tls,      // from its beginning
    none,     // never to an address of the internet
};

struct outgoing_mail {
    std::string host;
    std::string port;
    mail_security security = mail_security::starttls;
    std::string user = {}; // "" = without a password
    base::secret password = {};
    std::string from; // addresses alone, as is_mail_address() has them
    std::vector<std::string> to;
    std::string text; // head and body, with CR LF
    base::duration deadline = std::chrono::seconds{30};
    bool may_be_private = false; // the server's address may be of this network
};

// One address without a name, as a mailbox of the internet has it: nothing in it can end it.
bool is_mail_address(std::string_view text) noexcept;

class mail_client {
public:
    // `ca_file`: of certificates to be trusted; empty = the system's.
    explicit mail_client(std::string ca_file = {});
    ~mail_client(); // ends what is on its way
    mail_client(mail_client const&) = delete;
    mail_client& operator=(mail_client const&) = delete;

    // Cancelled, it ends within a second, and its failure tells as ever whether the mail may have been sent.
    base::awaitable<base::result<void>> send(outgoing_mail mail);
    // What is on its way ends within a second, as ambiguous; nothing more is sent.
    void close() noexcept;

private:
    struct threads;
    std::string ca_file_;
    std::unique_ptr<threads> threads_; // made for the first mail
    std::shared_ptr<std::atomic<bool>> closed_;
    int running_ = 0;
};

} // namespace postrider::net
