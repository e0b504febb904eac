#include "tests/support/fake_telegram.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>

#include <future>

namespace postrider::tests {

namespace {

using telegram::simulated_call;
using telegram::simulated_fault;

constexpr std::string_view secret_part = ":TEST-token_of-the_fake";

simulated_fault refusal(int status, std::string description, base::json::object parameters = {}) {
    simulated_fault fault;
    fault.status = status;
    fault.description = std::move(description);
    fault.parameters = std::move(parameters);
    return fault;
}

bool fits(fault_order const& order, simulated_call const& call) {
    return order.times != 0 && (order.method.empty() || order.method == call.method) &&
           (order.bot.empty() || order.bot == call.bot) &&
           (!order.chat || *order.chat == call.chat);
}

} // namespace

template<class Work>
auto fake_telegram::there(Work work) {
    return boost::asio::post(context_, boost::asio::use_future(std::move(work))).get();
}

fake_telegram::fake_telegram(base::duration retry_step)
    : work_(context_.get_executor()),
      http_(net::make_http_client(context_.get_executor())) {
    telegram::simulation_options options;
    options.deliveries.retry_step = retry_step;
    options.deliveries.on_delivery = [this](auto const& delivery) {
        std::lock_guard lock(guard_);
        record_.deliveries.push_back(delivery);
        changed_.notify_all();
    };
    options.fault = [this](auto const& call) { return fault_for(call); };
    options.on_call = [this](auto const& call) {
        std::lock_guard lock(guard_);
        record_.calls.push_back(call);
        changed_.notify_all();
    };
    simulation_ = telegram::make_simulation(
        context_.get_executor(),
        *http_,
        base::system_clock(),
        base::system_random(),
        std::move(options)
    );
    simulation_->start().value();
    api_base_ = simulation_->api_base();
    thread_ = std::thread([this] { context_.run(); });
    bot_ = add_bot("fern_bot", user_id{7100200300});
}

fake_telegram::~fake_telegram() {
    boost::asio::co_spawn(context_, simulation_->stop(), boost::asio::use_future).wait();
    there([this] { http_->close(); });
    work_.reset();
    context_.stop();
    thread_.join();
}

telegram::simulated_bot fake_telegram::add_bot(std::string username, user_id id) {
    telegram::simulated_bot bot{
        base::to_string(id) + std::string(secret_part), id, std::move(username)};
    there([this, bot] { simulation_->add_bot(bot); });
    return bot;
}

telegram::said fake_telegram::say_to(std::string username, telegram::simulated_message message) {
    return there([&] { return simulation_->say(username, std::move(message)); });
}

update_id fake_telegram::edit(telegram::simulated_message message, telegram_message_id id) {
    return there([&] { return simulation_->edit(bot_.username, std::move(message), id); });
}

telegram::pressed fake_telegram::press(telegram::simulated_press press) {
    return there([&] { return simulation_->press(bot_.username, std::move(press)); });
}

void fake_telegram::set_member(chat_id group, user_id user, std::string status) {
    there([&] { simulation_->set_member(bot_.username, group, user, std::move(status)); });
}

void fake_telegram::deny(chat_id group, user_id user, std::string right) {
    there([&] { simulation_->deny(group, user, std::move(right)); });
}

void fake_telegram::link(chat_id group, chat_id channel) {
    there([&] { simulation_->link(group, channel); });
}

void fake_telegram::set_title(chat_id group, std::string title) {
    there([&] { simulation_->set_title(group, std::move(title)); });
}

update_id fake_telegram::ask_to_join(chat_id group, user_id user) {
    return there([&] { return simulation_->ask_to_join(bot_.username, group, user); });
}

update_id fake_telegram::connect(telegram::simulated_connection connection) {
    return there([&] { return simulation_->connect(bot_.username, std::move(connection)); });
}

update_id fake_telegram::deliver(std::string queue, base::json::object update) {
    return there([&] {
        return simulation_->deliver(bot_.username, std::move(queue), std::move(update));
    });
}

void fake_telegram::deliver_raw(std::string queue, update_id id, std::string body) {
    there([&] {
        simulation_->deliveries(bot_.username).put_raw(std::move(queue), id, std::move(body));
    });
}

update_id fake_telegram::next_update_id() {
    return there([&] { return simulation_->deliveries(bot_.username).next_id(); });
}

std::size_t fake_telegram::pending() {
    return there([&] { return simulation_->deliveries(bot_.username).pending(); });
}

std::string fake_telegram::webhook_url() {
    return there([&] { return simulation_->deliveries(bot_.username).webhook().url; });
}

void fake_telegram::fail(fault_order order) {
    std::lock_guard lock(guard_);
    orders_.push_back(std::move(order));
}

void fake_telegram::clear_faults() {
    std::lock_guard lock(guard_);
    orders_.clear();
}

simulated_fault fake_telegram::fault_for(simulated_call const& call) {
    std::lock_guard lock(guard_);
    for (auto& order : orders_) {
        if (!fits(order, call)) continue;
        if (order.skip > 0) {
            --order.skip;
            continue;
        }
        if (order.times > 0) --order.times;
        return order.fault;
    }
    return {};
}

simulated_fault fake_telegram::too_many_requests(int seconds) {
    return refusal(
        429, "Too Many Requests: retry after " + std::to_string(seconds), {{"retry_after", seconds}}
    );
}

simulated_fault fake_telegram::unauthorized() {
    return refusal(401, "Unauthorized");
}

simulated_fault fake_telegram::blocked() {
    return refusal(403, "bot was blocked by the user");
}

simulated_fault fake_telegram::cannot_parse() {
    return refusal(400, "can't parse entities: Unexpected end tag at byte offset 3");
}

simulated_fault fake_telegram::too_long() {
    return refusal(400, "message is too long");
}

simulated_fault fake_telegram::not_enough_rights() {
    return refusal(400, "not enough rights to restrict/unrestrict chat member");
}

simulated_fault fake_telegram::cannot_be_deleted() {
    return refusal(400, "message can't be deleted");
}

simulated_fault fake_telegram::user_not_found() {
    return refusal(400, "user not found");
}

simulated_fault fake_telegram::user_is_administrator() {
    return refusal(400, "user is an administrator of the chat");
}

simulated_fault fake_telegram::reply_target_gone() {
    return refusal(400, "message to be replied not found");
}

simulated_fault fake_telegram::thread_gone() {
    return refusal(400, "message thread not found");
}

simulated_fault fake_telegram::query_too_old() {
    return refusal(400, "query is too old and response timeout expired or query ID is invalid");
}

simulated_fault fake_telegram::migrated(chat_id to) {
    return refusal(
        400, "group chat was upgraded to a supergroup chat", {{"migrate_to_chat_id", base::raw(to)}}
    );
}

simulated_fault fake_telegram::server_error(int status) {
    return refusal(status, "Internal Server Error");
}

simulated_fault fake_telegram::slow(base::duration by) {
    simulated_fault fault;
    fault.delay = by;
    return fault;
}

simulated_fault fake_telegram::lost_answer() {
    simulated_fault fault;
    fault.lose_answer = true;
    return fault;
}

simulated_fault fake_telegram::lost_result() {
    simulated_fault fault;
    fault.lose_result = true;
    return fault;
}

telegram_record fake_telegram::record() const {
    std::lock_guard lock(guard_);
    return record_;
}

std::vector<simulated_call> fake_telegram::calls(std::string_view method) const {
    std::vector<simulated_call> found;
    for (auto& call : record().calls)
        if (call.method == method) found.push_back(std::move(call));
    return found;
}

std::vector<simulated_call> fake_telegram::sent(std::optional<chat_id> chat) const {
    auto found = calls("sendMessage");
    std::erase_if(found, [&](auto const& call) {
        return !call.carried_out || (chat && call.chat != *chat);
    });
    return found;
}

bool fake_telegram::wait_for_sent(std::size_t n, base::duration deadline) const {
    auto enough = [n](telegram_record const& so_far) {
        return static_cast<std::size_t>(std::ranges::count_if(so_far.calls, [](auto const& call) {
                   return call.method == "sendMessage" && call.carried_out;
               })) >= n;
    };
    return wait_until(enough, deadline);
}

bool fake_telegram::wait_for_calls(std::string_view method, std::size_t n, base::duration deadline)
    const {
    auto enough = [&](telegram_record const& so_far) {
        return static_cast<std::size_t>(
                   std::ranges::count(so_far.calls, method, &simulated_call::method)
               ) >= n;
    };
    return wait_until(enough, deadline);
}

bool fake_telegram::wait_until(
    std::function<bool(telegram_record const&)> const& reached, base::duration deadline
) const {
    std::unique_lock lock(guard_);
    return changed_.wait_for(lock, deadline, [&] { return reached(record_); });
}

} // namespace postrider::tests
