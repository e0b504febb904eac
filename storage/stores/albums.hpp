#pragma once
// Albums: several messages that a person sends as one, each by an update of its own. The first claims the
// album's key (request_keys.hpp) and names its job there; the others belong to that job as long as it waits
// for them.
#include "base/ids.hpp"
#include "storage/batcher.hpp"
#include "storage/stores/request_keys.hpp"

#include <boost/json/value.hpp>

#include <string>

namespace postrider::storage {

struct album_message {
    request_key album;
    lane_id lane{};           // of its chat; 0 = not known
    boost::json::value input; // of the job that it would start
    std::string words;        // that came with it; "" = none
    std::string wordless;     // what a history has of an image without words
};

enum class album_outcome {
    begins,    // it starts a job
    joined,    // it belongs to the job of its album
    explained, // nothing can read it, and the album has an answer
};

struct album_answer {
    album_outcome outcome = album_outcome::begins;
    std::string attachment; // of the parts before it, which go with it
};

// For one whose key is taken: its unit gets a row, read_album(). It locks lanes: its unit is apart. Order 20.
write join_album(album_message const& message);
album_answer read_album(row const& returned);

// A job that was made in this commit answers what came before it, too. Order 43; returns no row.
write bring_attachment(job_id job, std::string const& attachment);

} // namespace postrider::storage
