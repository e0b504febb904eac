#include "net/redis_protocol.hpp"

#include <algorithm>
#include <array>
#include <hiredis/hiredis.h>
#include <new>

namespace postrider::net {

using base::errc;
using base::error;

namespace {

struct redis_bytes_deleter {
    void operator()(char* bytes) const noexcept { redisFreeCommand(bytes); }
};
struct redis_object_deleter {
    void operator()(void* object) const noexcept { freeReplyObject(object); }
};
using redis_object = std::unique_ptr<void, redis_object_deleter>;

// How hiredis makes replies by itself. It never changes.
redisReplyObjectFunctions const& usual_functions() {
    static redisReplyObjectFunctions const functions = [] {
        auto* reader = redisReaderCreate();
        if (!reader) throw std::bad_alloc();
        auto const copy = *reader->fn;
        redisReaderFree(reader);
        return copy;
    }();
    return functions;
}

// It would allocate as much as the server announces. The size's type is another in later versions.
template<class Size>
void* bounded_list(redisReadTask const* task, Size items) {
    if (static_cast<std::size_t>(items) > most_redis_items) return nullptr;
    return usual_functions().createArray(task, items);
}

redisReplyObjectFunctions& bounded_functions() {
    static redisReplyObjectFunctions functions = [] {
        auto copy = usual_functions();
        copy.createArray = &bounded_list;
        return copy;
    }();
    return functions;
}

redis_reply value_of(redisReply const& object) {
    redis_reply reply;
    switch (object.type) {
    case REDIS_REPLY_INTEGER:
        reply.kind = redis_reply::kind::number;
        reply.number = object.integer;
        break;
    case REDIS_REPLY_ARRAY:
        reply.kind = redis_reply::kind::list;
        for (std::size_t i = 0; i < object.elements; ++i)
            reply.items.push_back(value_of(*object.element[i]));
        break;
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
        reply.kind = redis_reply::kind::text;
        reply.text.assign(object.str, object.len);
        break;
    case REDIS_REPLY_ERROR:
        reply.kind = redis_reply::kind::failure;
        reply.text.assign(object.str, object.len);
        break;
    default:
        break;
    }
    return reply;
}

struct failure_word {
    std::string_view word;
    errc code;
    std::string_view meaning;
};
constexpr std::array failure_words{
    failure_word{"NOAUTH", errc::unauthorized, "Redis asks for a password"},
    failure_word{"WRONGPASS", errc::unauthorized, "Redis does not take the password"},
    failure_word{"NOPERM", errc::unauthorized, "the user of Redis may not do this"},
    failure_word{"WRONGTYPE", errc::conflict, "the key in Redis has something else"},
    failure_word{"LOADING", errc::unavailable, "Redis is loading its data"},
    failure_word{"MASTERDOWN", errc::unavailable, "Redis has lost its primary"},
    failure_word{"CLUSTERDOWN", errc::unavailable, "the cluster of Redis is down"},
    failure_word{"READONLY", errc::unavailable, "this Redis is a copy that cannot be written"},
    failure_word{"MISCONF", errc::unavailable, "Redis cannot save its data"},
    failure_word{"BUSY", errc::overloaded, "Redis is busy"},
    failure_word{"OOM", errc::overloaded, "Redis has no memory left"},
    failure_word{"EXECABORT", errc::refused, "Redis refused a command"},
};

} // namespace

std::string redis_bytes(redis_command const& command) {
    std::vector<char const*> words;
    std::vector<std::size_t> sizes;
    for (auto const& word : command) {
        words.push_back(word.data());
        sizes.push_back(word.size());
    }
    char* bytes = nullptr;
    auto const size =
        redisFormatCommandArgv(&bytes, static_cast<int>(words.size()), words.data(), sizes.data());
    if (size < 0) throw std::bad_alloc();
    std::unique_ptr<char, redis_bytes_deleter> const owned(bytes);
    return {bytes, static_cast<std::size_t>(size)};
}

error redis_failure(std::string_view words) {
    auto const first = words.substr(0, words.find(' '));
    auto const* entry = std::ranges::find(failure_words, first, &failure_word::word);
    if (entry != failure_words.end()) return {entry->code, std::string(entry->meaning)};
    // As servers before version 6 say it.
    if (words.find("password") != std::string_view::npos)
        return {errc::unauthorized, "Redis does not take the password"};
    return {errc::refused, "Redis refused a command"};
}

struct redis_reader::state {
    state() : reader(redisReaderCreateWithFunctions(&bounded_functions())) {
        if (!reader) throw std::bad_alloc();
    }
    ~state() { redisReaderFree(reader); }
    state(state const&) = delete;
    state& operator=(state const&) = delete;

    redisReader* reader;
    std::size_t bytes = 0; // of the reply that is being read
};

redis_reader::redis_reader() : state_(std::make_unique<state>()) {}
redis_reader::~redis_reader() = default;
redis_reader::redis_reader(redis_reader&&) noexcept = default;

void redis_reader::feed(std::string_view bytes) {
    state_->bytes += bytes.size();
    // A failure comes back from next().
    redisReaderFeed(state_->reader, bytes.data(), bytes.size());
}

base::result<std::optional<redis_reply>> redis_reader::next() {
    if (state_->bytes > most_redis_bytes)
        return error(errc::too_large, "Redis sent more than is read");
    void* object = nullptr;
    if (redisReaderGetReply(state_->reader, &object) != REDIS_OK)
        return error(errc::invalid, "what answered is no Redis, or sent too long a list");
    if (!object) return std::optional<redis_reply>{};
    redis_object const owned(object);
    state_->bytes = 0;
    return std::optional<redis_reply>{value_of(*static_cast<redisReply*>(object))};
}

} // namespace postrider::net
