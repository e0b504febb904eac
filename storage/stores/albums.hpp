#pragma once
// Albums: several messages that a person sends as one, each by an update of its own. The first claims the
// album's key (request_keys.hpp) and names its job there; the others belong to that job as long as it waits
// for them.
#include "base/ids.hpp"
#include "storage/batcher.hpp"
#include "storage/stores/request_keys.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

// `place`: of the chat, as its jobs have it.
request_key key_of_album(std::string_view place, std::string_view album);

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
    boost::json::value taken; // media of the parts before it, which go with it; null = none
};

// For one whose key is taken: its unit gets a row, read_album(). It locks lanes: its unit is apart. Order 20.
write join_album(album_message const& message);
album_answer read_album(row const& returned);

// A job that was made in this commit has what came before it, too. Order 43; returns no row.
write bring_album_media(job_id job, boost::json::value const& taken);

// An album that somebody sent, by one of its parts: it had a job within the last day, or its parts are messages of
// a watched group.
struct sent_album {
    request_key key;
    bot_id bot{};
    chat_id chat{};
    telegram_message_id message{};
    user_id sender{};
};

// The files of that sender's parts, as jobs have them in their input, in the order of their arrival. Failures as of query().
base::awaitable<base::result<std::vector<boost::json::value>>> read_album_files(
    batcher& reads, sent_album album, base::duration deadline
);

} // namespace postrider::storage
