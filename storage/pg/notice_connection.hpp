#pragma once
// One libpq session that listens. Blocking except wait(); used by one thread. Built on libpq and
// not on libpqxx, which cannot wait for a notification and for something else at a time.
#include "storage/database.hpp"

#include <functional>
#include <libpq-fe.h>
#include <memory>
#include <string>
#include <string_view>

namespace postrider::storage::pg {

class notice_connection {
public:
    // Connects and listens; see failed().
    notice_connection(database_options const& options, std::string const& channel);

    // "" = everything is well; else what the server or libpq said, once and for all.
    std::string const& failed() const noexcept { return failed_; }
    int socket() const noexcept { return PQsocket(db_.get()); }

    void notify(std::string const& channel, std::string const& payload);
    // Reads what has come; gives the payloads that other sessions sent.
    void read(std::function<void(std::string_view payload)> const& give);

private:
    using connection = std::unique_ptr<PGconn, decltype(&PQfinish)>;
    using answer = std::unique_ptr<PGresult, decltype(&PQclear)>;

    void fail();
    void check(answer reply);

    connection db_;
    std::string failed_;
};

} // namespace postrider::storage::pg
