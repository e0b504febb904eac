-- Telegram's webhook for wrk, as bench/updates.cpp makes it: updates of about 700 bytes from a thousand
-- chats in turn. wrk -s updates.lua URL -- SECRET FIRST_UPDATE; prints name=value.
local question = "Good morning! We arrive on Friday evening with the night train and would like to take the "
  .. "first ferry to the island on Saturday. Could you tell me when it leaves, from which pier, and "
  .. "whether two bicycles and a dog can come along without a reservation? If it is full, is there "
  .. "a later one before noon? Thank you very much, and have a nice day."
local body = '{"update_id":%d,"message":{"message_id":%d,"from":{"id":%d,"is_bot":false,'
  .. '"first_name":"Alexandra","last_name":"Example","username":"alexandra_%d","language_code":"en"},'
  .. '"chat":{"id":%d,"first_name":"Alexandra","last_name":"Example","username":"alexandra_%d","type":"private"},'
  .. '"date":1795000000,"text":"' .. question .. ' [%d]"}}'
local headers, update

function init(arguments)
  headers = { ["Content-Type"] = "application/json", ["X-Telegram-Bot-Api-Secret-Token"] = arguments[1] }
  update = tonumber(arguments[2])
end

function request()
  update = update + 1
  local user = update % 1000 + 1
  return wrk.format("POST", nil, headers, string.format(body, update, update, user, user, user, user, update))
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format("accepted=%d\naccepted_per_s=%.0f\naccept_p50_ms=%.2f\naccept_p99_ms=%.2f\nrefused=%d\n",
    summary.requests - e.status, (summary.requests - e.status) / (summary.duration / 1e6),
    latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    e.status + e.connect + e.read + e.write + e.timeout))
end
