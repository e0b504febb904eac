#include "server/telegram/simulation.hpp"

#include "net/http_server.hpp"
#include "server/telegram/simulated_api.hpp"
#include "server/telegram/simulated_body.hpp"

#include <boost/json/serialize.hpp>

#include <stdexcept>

namespace postrider::telegram {

namespace {

using json_object = base::json::object;

constexpr std::size_t largest_call = 16u << 20; // with a file

// Thrown through the HTTP server, which takes only a std::exception for a failed request: the
// session ends and its connection closes without an answer.
struct answer_lost {};

class local_simulation final : public simulation {
public:
    local_simulation(
        base::asio::any_io_executor executor,
        net::http_client& http,
        base::clock& clock,
        base::random_source& random,
        simulation_options options
    )
        : executor_(executor),
          http_(http),
          clock_(clock),
          random_(random),
          options_(std::move(options)) {
        net::http_server_options server;
        server.listen = options_.listen;
        std::vector<net::route> routes;
        for (auto const* method : {"GET", "POST"}) {
            net::route route;
            route.method = method;
            route.pattern = "/{bot}/{method}";
            route.body_limit = largest_call;
            route.handle = [this](net::http_request request) { return handle(std::move(request)); };
            routes.push_back(std::move(route));
        }
        net::route files;
        files.method = "GET";
        files.pattern = "/file/{bot}/{folder}/{id}";
        files.handle = [this](net::http_request request) { return send_file(std::move(request)); };
        routes.push_back(std::move(files));
        server_ = net::make_http_server(
            std::move(executor), std::move(server), net::router(std::move(routes))
        );
    }

    base::result<void> start() override { return server_->start(); }

    std::string api_base() const override { return "http://" + server_->address(); }

    void add_bot(simulated_bot bot) override {
        auto updates = std::make_unique<simulated_deliveries>(
            executor_, http_, clock_, random_, options_.deliveries
        );
        auto const token = bot.token;
        bots_[token] = {std::move(bot), std::move(updates)};
    }

    void resume(chat_id chat, telegram_message_id last) override { chats_.resume(chat, last); }

    void recall(chat_id chat, telegram_message_id message, std::string text) override {
        chats_.keep(chat, message, {std::move(text), {}, false});
    }

    said say(std::string const& username, simulated_message message) override {
        auto const chat = chat_of(message);
        bool const is_business = !message.business.empty();
        auto const place = is_business ? chats_.place_in_business(message.business, chat) : chat;
        auto const id = chats_.next(place);
        chats_.meet(place);
        chats_.hear(place, message.from);
        auto const* kind = is_business ? "business_message" : "message";
        auto update = deliver(username, queue_of(place), {{kind, wire(username, message, id)}});
        return {update, id};
    }

    update_id edit(std::string const& username, simulated_message message, telegram_message_id id)
        override {
        auto edited = wire(username, message, id);
        edited["edit_date"] = edited["date"];
        auto const* kind = message.business.empty() ? "edited_message" : "edited_business_message";
        return deliver(username, queue_of(chat_of(message)), {{kind, edited}});
    }

    pressed press(std::string const& username, simulated_press press) override {
        auto const query = chats_.ask();
        json_object const from{
            {"id", base::raw(press.from)}, {"is_bot", false}, {"first_name", press.name}};
        json_object update{{"id", query}, {"from", from}};
        update["message"] = json_object{
            {"message_id", base::raw(press.message)},
            {"from", bot_user(named(username).bot)},
            {"chat", chat_of(press.chat)},
            {"date", seconds_now()},
        };
        update["chat_instance"] = "-1";
        update["data"] = press.data;
        auto const id = deliver(
            username, "user " + base::to_string(press.from), {{"callback_query", std::move(update)}}
        );
        return {id, query};
    }

    void set_member(std::string const& username, chat_id group, user_id user, std::string status)
        override {
        auto const& bot = named(username).bot;
        auto const before = chats_.standing(group, user);
        chats_.set_standing(group, user, status);
        bool const is_bot = user == bot.id;
        if (is_bot) chats_.meet(group); // it may write there first
        if (!is_bot && chats_.standing(group, bot.id) != "administrator") return;
        auto standing = [user, is_bot](std::string_view as) {
            json_object sender{{"id", base::raw(user)}, {"is_bot", is_bot}, {"first_name", "Alex"}};
            return json_object{{"user", std::move(sender)}, {"status", as}};
        };
        json_object change{
            {"chat", chat_of(group)},
            {"from", {{"id", base::raw(user)}, {"is_bot", is_bot}, {"first_name", "Alex"}}},
            {"date", seconds_now()},
            {"old_chat_member", standing(before.empty() ? "left" : before)},
            {"new_chat_member", standing(status)},
        };
        auto const queue = is_bot ? queue_of(group) : "user " + base::to_string(user);
        deliver(username, queue, {{is_bot ? "my_chat_member" : "chat_member", std::move(change)}});
    }

    void link(chat_id group, chat_id channel) override { chats_.link(group, channel); }
    void set_title(chat_id group, std::string title) override {
        chats_.set_title(group, std::move(title));
    }

    void deny(chat_id group, user_id user, std::string right) override {
        chats_.deny(group, user, std::move(right));
    }

    update_id ask_to_join(std::string const& username, chat_id group, user_id user) override {
        chats_.meet(group);
        chats_.ask_to_join(group, user);
        json_object request{
            {"chat", chat_of(group)},
            {"from", {{"id", base::raw(user)}, {"is_bot", false}, {"first_name", "Alex"}}},
            {"user_chat_id", base::raw(user)},
            {"date", seconds_now()},
        };
        return deliver(username, queue_of(group), {{"chat_join_request", std::move(request)}});
    }

    update_id connect(std::string const& username, simulated_connection connection) override {
        auto update = connection_json(connection, seconds_now());
        auto const queue = "business " + connection.id;
        chats_.connect(std::move(connection));
        return deliver(username, queue, {{"business_connection", std::move(update)}});
    }

    update_id deliver(std::string const& username, std::string queue, json_object update) override {
        return deliveries(username).put(queue, std::move(update));
    }

    simulated_deliveries& deliveries(std::string const& username) override {
        return *named(username).updates;
    }

    base::awaitable<void> stop() override {
        for (auto& [token, bot] : bots_) co_await bot.updates->close();
        server_->stop_accepting();
        co_await server_->drain(std::chrono::seconds{1});
    }

private:
    struct known_bot {
        simulated_bot bot;
        std::unique_ptr<simulated_deliveries> updates;
    };

    static chat_id chat_of(simulated_message const& message) {
        if (!message.business.empty()) return message.customer;
        return message.group.value_or(chat_id{base::raw(message.from)});
    }

    static json_object chat_of(chat_id chat) {
        return {{"id", base::raw(chat)}, {"type", base::raw(chat) > 0 ? "private" : "supergroup"}};
    }

    std::int64_t seconds_now() const {
        return std::chrono::floor<std::chrono::seconds>(clock_.now()).time_since_epoch().count();
    }

    static std::string queue_of(chat_id chat) { return "chat " + base::to_string(chat); }

    known_bot& named(std::string const& username) {
        for (auto& [token, bot] : bots_)
            if (bot.bot.username == username) return bot;
        throw std::invalid_argument("no simulated bot of that name");
    }

    json_object wire(
        std::string const& username, simulated_message const& message, telegram_message_id id
    ) {
        auto const now = std::chrono::floor<std::chrono::seconds>(clock_.now());
        json_object chat{{"id", base::raw(chat_of(message))}};
        chat["type"] = message.group ? "supergroup" : "private";
        json_object from{
            {"id", base::raw(message.from)}, {"is_bot", false}, {"first_name", message.name}};
        json_object body{
            {"message_id", base::raw(id)},
            {"from", std::move(from)},
            {"chat", chat},
            {"date", now.time_since_epoch().count()},
            {"text", message.text},
        };
        if (!message.business.empty()) body["business_connection_id"] = message.business;
        if (!message.photo.empty()) attach_photo(body, message.photo);
        if (message.document) attach_document(body, *message.document);
        if (!message.more.empty() && message.text.empty()) body.erase("text");
        for (auto const& member : message.more) body[member.key()] = member.value();
        if (!message.album.empty()) body["media_group_id"] = message.album;
        if (message.topic != thread_id{}) {
            body["message_thread_id"] = base::raw(message.topic);
            body["is_topic_message"] = true;
        }
        if (message.replies_to_bot) {
            auto const& bot = named(username).bot;
            json_object by{
                {"id", base::raw(bot.id)}, {"is_bot", true}, {"first_name", bot.username}};
            body["reply_to_message"] = {{"message_id", 1}, {"chat", chat}, {"from", std::move(by)}};
        }
        return body;
    }

    static void make_caption(json_object& body) {
        auto const text = body["text"];
        body.erase("text");
        if (!text.as_string().empty()) body["caption"] = text;
    }

    void attach_document(json_object& body, simulated_file const& file) {
        make_caption(body);
        auto const id = chats_.keep_file(file.bytes);
        body["document"] = json_object{
            {"file_id", id},
            {"file_unique_id", id},
            {"file_name", file.name},
            {"mime_type", file.mime},
            {"file_size", file.bytes.size()}};
    }

    // In two sizes, as Telegram has them.
    void attach_photo(json_object& body, std::string const& bytes) {
        make_caption(body);
        auto size = [&](std::string file, int width, int height) {
            return json_object{
                {"file_id", file},
                {"file_unique_id", file},
                {"width", width},
                {"height", height},
                {"file_size", bytes.size()}};
        };
        auto const small = chats_.keep_file(bytes.substr(0, bytes.size() / 2));
        auto const large = chats_.keep_file(bytes);
        body["photo"] = base::json::array{size(small, 90, 67), size(large, 1280, 960)};
    }

    base::awaitable<net::http_response> send_file(net::http_request request) {
        auto const bot = request.param("bot");
        bool const is_bot = bot.starts_with("bot") && bots_.contains(bot.substr(3));
        auto const* bytes = is_bot ? chats_.file(request.param("id")) : nullptr;
        if (!bytes)
            co_return net::http_response::json(
                404, R"({"ok":false,"error_code":404,"description":"Not Found"})"
            );
        net::http_response response;
        response.headers.add("Content-Type", "application/octet-stream");
        response.body = *bytes;
        co_return response;
    }

    base::awaitable<net::http_response> handle(net::http_request request) {
        auto const segment = request.param("bot");
        auto const token = segment.starts_with("bot") ? segment.substr(3) : std::string_view();
        simulated_call call;
        call.at = clock_.steady();
        call.method = request.param("method");
        call.params = parameters_of(request);
        base::json::value const params = call.params;
        base::json_reader root{params};
        call.chat = chat_id{root["chat_id"].int64_or(0)};
        call.text = root["text"].string_or(root["caption"].string_or(""));
        auto const bot_entry = bots_.find(token);
        if (bot_entry != bots_.end()) call.bot = bot_entry->second.bot.username;

        auto const fault = options_.fault(call);
        if (fault.delay > base::duration{}) co_await base::sleep_for(fault.delay);
        auto answer = simulated_answer::failure(401, "Unauthorized: invalid token specified");
        if (fault.status != 0) {
            answer = simulated_answer::failure(fault.status, fault.description, fault.parameters);
        } else if (bot_entry != bots_.end()) {
            auto& [bot, updates] = bot_entry->second;
            answer = co_await carry_out(call, bot, *updates, chats_, clock_, options_.more_methods);
            call.carried_out = answer.status == 200;
        }
        call.status = answer.status;
        options_.on_call(call);
        if (fault.lose_answer) throw answer_lost{};
        if (fault.lose_result) answer.raw = R"({"ok":true,"result":true})";
        co_return response(std::move(answer), fault);
    }

    static net::http_response response(simulated_answer answer, simulated_fault const& fault) {
        auto response = net::http_response::json(answer.status, std::move(answer.raw));
        if (auto* after = fault.parameters.if_contains("retry_after"))
            response.headers.add("Retry-After", base::json::serialize(*after));
        return response;
    }

    base::asio::any_io_executor executor_;
    net::http_client& http_;
    base::clock& clock_;
    base::random_source& random_;
    simulation_options options_;
    simulated_chats chats_;
    std::map<std::string, known_bot, std::less<>> bots_; // by token
    std::unique_ptr<net::http_server> server_;
};

} // namespace

std::unique_ptr<simulation> make_simulation(
    base::asio::any_io_executor executor,
    net::http_client& http,
    base::clock& clock,
    base::random_source& random,
    simulation_options options
) {
    return std::make_unique<local_simulation>(
        std::move(executor), http, clock, random, std::move(options)
    );
}

} // namespace postrider::telegram
