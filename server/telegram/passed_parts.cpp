#include "server/telegram/passed_parts.hpp"

#include <algorithm>

namespace postrider::telegram {

namespace {

void put_before(agent::flow::heard_message& own, agent::flow::heard_message const& earlier) {
    own.images.insert(own.images.begin(), earlier.images.begin(), earlier.images.end());
    if (!earlier.attachment.empty())
        own.attachment = earlier.attachment + (own.attachment.empty() ? "" : ", ") + own.attachment;
    if (!earlier.file) return;
    // Speech is written down: it stays the file.
    if (!own.file || own.is_spoken) {
        own.more_files.insert(own.more_files.begin(), *earlier.file);
        return;
    }
    own.more_files.insert(own.more_files.begin(), *own.file);
    own.file = earlier.file;
}

} // namespace

void passed_parts::note(to_job const& passed, base::steady_time now) {
    while (!parts_.empty() && (parts_.size() >= most || parts_.front().until <= now))
        parts_.pop_front();
    auto const place = agent::place_of(passed.heard.from);
    // An update that was not stored comes again.
    bool const is_there = std::ranges::any_of(parts_, [&](part const& earlier) {
        return earlier.place == place && earlier.heard.message == passed.heard.message;
    });
    if (!is_there) parts_.push_back({place, passed.album, passed.heard, now + longest});
}

void passed_parts::bring(to_job& job, base::steady_time now) const {
    auto& replied = job.heard.replied;
    bool const is_about_album = !job.album.empty() || (replied && !replied->album.empty());
    if (!is_about_album) return;
    auto const place = agent::place_of(job.heard.from);
    // The newest first, each before those that came behind it.
    for (auto earlier = parts_.rbegin(); earlier != parts_.rend(); ++earlier) {
        if (earlier->place != place || earlier->until <= now) continue;
        auto const& heard = earlier->heard;
        bool const is_own = !job.album.empty() && earlier->album == job.album;
        if (is_own && !earlier->is_brought && heard.user == job.heard.user)
            put_before(job.heard, heard);
        bool const is_of_replied = replied && earlier->album == replied->album &&
                                   heard.user == replied->user && heard.message != replied->message;
        if (is_of_replied && heard.file)
            replied->more_files.insert(replied->more_files.begin(), *heard.file);
    }
}

void passed_parts::forget_album(to_job const& job) {
    if (job.album.empty()) return;
    auto const place = agent::place_of(job.heard.from);
    for (auto& earlier : parts_)
        if (earlier.place == place && earlier.album == job.album) earlier.is_brought = true;
}

} // namespace postrider::telegram
