#include "storage/pg/notice_connection.hpp"

#include "storage/pg/conninfo.hpp"

namespace postrider::storage::pg {

notice_connection::notice_connection(database_options const& options, std::string const& channel)
    : db_(PQconnectdb(conninfo(options, purpose::general).c_str()), &PQfinish) {
    PQsetNoticeProcessor(
        db_.get(), [](void*, char const*) {}, nullptr
    ); // else they go to stderr
    if (PQstatus(db_.get()) != CONNECTION_OK) {
        fail();
        return;
    }
    try {
        socket_.emplace(PQsocket(db_.get()));
    } catch (failure const& f) {
        failed_ = f.error.detail;
        return;
    }
    // A hint that a crash loses is not worth a wait for the disk.
    check({PQexec(db_.get(), "set synchronous_commit = off"), &PQclear});
    std::unique_ptr<char, decltype(&PQfreemem)> name{
        PQescapeIdentifier(db_.get(), channel.data(), channel.size()), &PQfreemem};
    if (!name) {
        fail();
        return;
    }
    check({PQexec(db_.get(), ("listen " + std::string(name.get())).c_str()), &PQclear});
}

void notice_connection::notify(std::string const& channel, std::string const& payload) {
    char const* values[] = {channel.c_str(), payload.c_str()};
    constexpr auto sql = "select pg_notify($1, $2)";
    check({PQexecParams(db_.get(), sql, 2, nullptr, values, nullptr, nullptr, 0), &PQclear});
}

void notice_connection::read(std::function<void(std::string_view payload)> const& give) {
    if (PQconsumeInput(db_.get()) == 0) return fail();
    using notice = std::unique_ptr<PGnotify, decltype(&PQfreemem)>;
    while (notice received{PQnotifies(db_.get()), &PQfreemem})
        if (received->be_pid != PQbackendPID(db_.get())) give(received->extra);
    if (PQstatus(db_.get()) != CONNECTION_OK) fail();
}

// The text names host, user and database, never the password.
void notice_connection::fail() {
    std::string_view said = PQerrorMessage(db_.get());
    failed_ = said.substr(0, said.find('\n'));
    if (failed_.empty()) failed_ = "the connection broke";
}

void notice_connection::check(answer reply) {
    auto const status = PQresultStatus(reply.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) fail();
}

} // namespace postrider::storage::pg
