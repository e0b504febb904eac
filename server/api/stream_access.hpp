#pragma once
// Ends streams whose token or session no longer counts as it did when they began: it was revoked, by
// whatever process, it has expired, or it has another role or user. A stream ends as it does when it
// is over, within two seconds where the database answers; where it does not, the stream goes on.
//
// While streams of a token or session are open its row is read about once a second, however many they
// are. The owner's configured token changes by a restart only. On the loop's thread.
#include "net/body_stream.hpp"
#include "server/api/caller.hpp"
#include "storage/batcher.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace postrider::api {

class stream_access {
public:
    // The batcher must outlive the streams.
    explicit stream_access(storage::batcher& reads) : reads_(reads) {}

    // The same stream, which ends so. `sha256`: of its caller's token or session.
    net::body_stream limited(net::body_stream stream, caller const& caller, std::string sha256);

private:
    struct watched_access;
    using access_key = std::pair<token_id, console_session_id>;

    storage::batcher& reads_;
    std::map<access_key, std::weak_ptr<watched_access>> watched_;
};

} // namespace postrider::api
