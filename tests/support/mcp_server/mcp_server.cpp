// A server of the Model Context Protocol on standard input and output, for tests: correct, or wrong
// in the way that its first argument names.
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <iostream>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

extern char** environ; // NOLINT: what the tests ask for

namespace {

namespace json = boost::json;

std::string mode;
std::string meeting; // of two servers: the path of a FIFO
bool changed = false;
int pages = 0;
constexpr std::string_view modern = "2026-07-28";

void say(json::value const& message) {
    std::cout << json::serialize(message) << '\n' << std::flush;
}

void notify(std::string_view method, json::object params = {}) {
    say(json::object{{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

json::object text_result(std::string_view text) {
    return {{"content", {{{"type", "text"}, {"text", text}}}}};
}

// Answers to requests that nobody waits for: one that is over, one that is still to come, and unknown ones.
void answer_others(json::value const& id) {
    auto const number = id.as_int64();
    json::array const others{number - 1, number + 1, 4711, "not " + json::serialize(id)};
    for (auto const& other : others)
        say(json::object{
            {"jsonrpc", "2.0"}, {"id", other}, {"result", text_result("meant for another")}});
}

void answer(json::value const& id, json::object result) {
    if (mode == "modern") result["resultType"] = "complete";
    if (mode == "wrong_ids") answer_others(id);
    if (mode == "garbage") std::cout << "Listening…\n{\"half\": \n\n[]\n" << std::flush;
    if (mode == "deep" && result.contains("content")) {
        std::cout << R"({"jsonrpc":"2.0","result":{"content":)" << std::string(100, '[')
                  << std::string(100, ']') << "},\"id\":" << json::serialize(id) << "}\n"
                  << std::flush;
        return;
    }
    if (mode == "no_utf8" && result.contains("content")) {
        std::cout << R"({"jsonrpc":"2.0","id":)" << json::serialize(id)
                  << ",\"result\":{\"content\":\"\xff\"}}\n"
                  << std::flush;
        return;
    }
    if (mode == "flood")
        for (int i = 0; i < 20'000; ++i) notify("notifications/message", {{"data", i}});
    say(json::object{{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
    if (mode == "twice") say(json::object{{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
}

void fail(json::value const& id, int code, std::string_view text, json::value data = {}) {
    json::object error{{"code", code}, {"message", text}};
    if (!data.is_null()) error["data"] = std::move(data);
    say(json::object{{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(error)}});
}

// Something that calls itself an image, a PNG, and a sound.
json::object pictures() {
    auto const part = [](std::string_view type, std::string_view media_type, std::string_view data
                      ) {
        return json::object{{"type", type}, {"mimeType", media_type}, {"data", data}};
    };
    return {
        {"content",
         {{{"type", "text"}, {"text", "what the camera sees"}},
          part("image", "image/png", "AAEC"),
          part("image", "image/png", "iVBORw0KGgo="),
          part("audio", "audio/wav", "UklGRg==")}}};
}

json::object tool(std::string_view name, std::string_view description = "does something") {
    return {{"name", name}, {"description", description}, {"inputSchema", {{"type", "object"}}}};
}

json::object list(json::object const& params) {
    auto const* cursor = params.if_contains("cursor");
    if (mode == "page_loop")
        return {{"tools", {tool("a" + std::to_string(++pages))}}, {"nextCursor", "same"}};
    if (mode == "page_flood") {
        auto const page = cursor ? std::stol(cursor->as_string().c_str()) + 1 : 0;
        return {
            {"tools", {tool("t" + std::to_string(page))}}, {"nextCursor", std::to_string(page)}};
    }
    if (mode == "read_only" || mode == "unreadable" || mode == "pictures") {
        auto reading = tool("echo");
        reading["annotations"] = {{"readOnlyHint", true}};
        return {{"tools", {reading, tool("limits")}}};
    }
    if (mode == "odd_schema") {
        auto odd = tool("echo");
        odd["inputSchema"] = {{"type", "object"}, {"minProperties", "1"}};
        return {{"tools", {odd, tool("limits")}}};
    }
    if (mode == "long_name") return {{"tools", {tool(std::string(70, 'x'))}}};
    if (mode.starts_with("meets") && !cursor) // waits until the other comes
        close(open(meeting.c_str(), mode == "meets_reading" ? O_RDONLY : O_WRONLY));
    if (mode == "deep" || mode == "progress") {
        auto harmless = tool("echo");
        harmless["annotations"] = {{"destructiveHint", false}};
        return {{"tools", {harmless}}};
    }
    if (!cursor)
        return {
            {"tools", {tool("echo", changed ? "does it otherwise" : "does something")}},
            {"nextCursor", "2"}};
    return {{"tools", {tool("environment"), tool("limits")}}};
}

std::string environment() {
    std::string all;
    for (char** entry = environ; *entry; ++entry) all += std::string(*entry) + '\n';
    return all;
}

std::string limits() {
    rlimit files{};
    rlimit seconds{};
    rlimit space{};
    getrlimit(RLIMIT_NOFILE, &files);
    getrlimit(RLIMIT_CPU, &seconds);
    getrlimit(RLIMIT_AS, &space);
    return std::to_string(files.rlim_cur) + ' ' + std::to_string(seconds.rlim_cur) + ' ' +
           std::to_string(space.rlim_cur) + ' ' + std::to_string(getpgrp() == getpid());
}

void call(json::value const& id, json::object const& params) {
    auto const name = params.at("name").as_string();
    if (mode == "dies") std::exit(3);
    if (mode == "never_calls") return;
    if (mode == "huge") return answer(id, text_result(std::string(6u << 20, 'x')));
    if (mode == "progress") {
        auto const* meta = params.if_contains("_meta");
        auto const* token = meta ? meta->as_object().if_contains("progressToken") : nullptr;
        if (!token) return answer(id, text_result("nobody waits for it to tell"));
        notify(
            "notifications/progress", {{"progressToken", *token}, {"progress", 1}, {"total", 2}}
        );
        return answer(id, text_result("half of it is done"));
    }
    if (mode == "no_result" || mode == "unreadable") return answer(id, {{"nothing", "of use"}});
    if (mode == "pictures") return answer(id, pictures());
    if (mode == "asks_back")
        say(json::object{{"jsonrpc", "2.0"}, {"id", "s1"}, {"method", "sampling/createMessage"}});
    if (mode == "changing") {
        changed = true;
        notify("notifications/tools/list_changed");
    }
    if (name == "environment") return answer(id, text_result(environment()));
    if (name == "limits") return answer(id, text_result(limits()));
    if (name != "echo") return fail(id, -32602, "unknown tool");
    answer(id, text_result(json::serialize(params.at("arguments"))));
}

void handle(json::object const& message) {
    auto const* id = message.if_contains("id");
    auto const* method = message.if_contains("method");
    if (!id || !method) return;
    auto const name = method->as_string();
    auto const* given = message.if_contains("params");
    auto const params = given ? given->as_object() : json::object();
    if (name == "server/discover" && mode == "modern")
        return answer(
            *id, {{"supportedVersions", {modern}}, {"capabilities", {{"tools", json::object()}}}}
        );
    if (name == "server/discover" && mode == "dies_of_questions") std::exit(4);
    if (name == "initialize" && mode == "modern")
        return fail(*id, -32022, "unsupported", {{"supported", {modern}}});
    if (mode == "modern" &&
        !params.at("_meta").as_object().contains("io.modelcontextprotocol/protocolVersion"))
        return fail(*id, -32602, "no version");
    if (name == "initialize") {
        bool const has_revision = mode.starts_with("20");
        if (mode == "2025-03-26" && params.at("protocolVersion") != json::value(mode))
            return fail(
                *id,
                -32602,
                "Unsupported protocol version",
                {{"supported", json::array{json::value(mode)}}}
            );
        auto version = params.at("protocolVersion");
        if (has_revision) version = mode;
        return answer(
            *id,
            {{"protocolVersion", version},
             {"capabilities", {{"tools", {{"listChanged", true}}}}},
             {"serverInfo", {{"name", "fixture"}, {"version", "1"}}},
             {"instructions", "Use with care."}}
        );
    }
    if (name == "tools/list") return answer(*id, list(params));
    if (name == "tools/call") return call(*id, params);
    fail(*id, -32601, "Method not found");
}

// Whatever it is told, it goes on, and has a child that does too.
[[noreturn]] void stay() {
    std::signal(SIGTERM, SIG_IGN);
    if (fork() != 0) std::cout << "staying\n" << std::flush;
    for (;;) std::this_thread::sleep_for(std::chrono::hours{1});
}

} // namespace

int main(int count, char** words) {
    mode = count > 1 ? words[1] : "";
    meeting = count > 2 ? words[2] : "";
    if (mode.starts_with("talks_on_stderr")) std::cerr << environment() << std::flush;
    if (mode == "talks_on_stderr_and_ends") return 1;
    if (mode == "babbles")
        for (;;) std::cout << "no message\n" << std::flush;
    std::string line;
    while (std::getline(std::cin, line)) {
        if (mode == "silent") continue;
        handle(json::parse(line).as_object());
    }
    if (mode == "stubborn") stay();
}
