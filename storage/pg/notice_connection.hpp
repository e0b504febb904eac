#pragma once
// One libpq session that listens. Its calls block for one round trip at most; used by one thread,
// except socket(). Built on libpq and not on libpqxx, which cannot wait for a notification and for
// something else at a time.
#include "storage/database.hpp"
#include "storage/pg/socket_copy.hpp"

#include <functional>
#include <libpq-fe.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::storage::pg {

class notice_connection {
public:
    // Connects and listens; see failed().
    notice_connection(database_options const& options, std::string const& channel);

    // "" = everything is well; else what the server or libpq said, once and for all.
    std::string const& failed() const noexcept { return failed_; }
    // For poll(), and for another thread that ends the connection. Only of one that was well at
    // first; it stays this connection's own after it broke.
    socket_copy const& socket() const { return *socket_; }

    void notify(std::string const& channel, std::string const& payload);
    // Reads what has come; gives the payloads that other sessions sent.
    void read(std::function<void(std::string_view payload)> const& give);

private:
    using connection = std::unique_ptr<PGconn, decltype(&PQfinish)>;
    using answer = std::unique_ptr<PGresult, decltype(&PQclear)>;

    void fail();
    void check(answer reply);

    connection db_;
    std::optional<socket_copy> socket_; // once it is connected
    std::string failed_;
};

} // namespace postrider::storage::pg
