-- Sends requests and reports results for wrk. See load.ts, which passes the plan as arguments.
-- Every request is from a different client behind a proxy, like those of the browser's adapter.

local kind, run, known, pause = "signup", 1, 1, 0
local count = 0
local began = os.time() * 1000

local user_agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
  .. "Version/18.5 Mobile/15E148 Safari/604.1"

local function hex(digits)
  return string.format("%0" .. digits .. "x", math.random(0, 16 ^ digits - 1))
end

local function uuid()
  return hex(8) .. "-" .. hex(4) .. "-4" .. hex(3) .. "-8" .. hex(3) .. "-" .. hex(6) .. hex(6)
end

-- Reversed digits, because real session ids are not in order.
local function session_id(number)
  return string.format("%08x", number):reverse() .. string.format("-0000-4000-8000-%012x", run)
end

local function start_fields()
  return string.format(
    '"visitor_id":"%s","session_start":%d,"referrer":"https://search.example/","user_agent":"%s","device_type":"mobile",'
      .. '"browser":"Safari","os":"iOS","is_returning_visitor":false,"total_sessions":1',
    hex(8), began, user_agent
  )
end

-- The tokens that list.ts has stored.
local function link_body()
  return string.format('{"token":"%043d"}', known + count)
end

local make = {
  signup = function()
    return "/api/signups", string.format(
      '{"email":"visitor-%d-%d@example.org","session_id":null,"source":"hero","referrer":"https://search.example/",'
        .. '"submission_id":"%s"}',
      run, count, uuid()
    )
  end,
  start = function()
    return "/api/sessions", string.format('{"id":"%s",%s}', session_id(count), start_fields())
  end,
  update = function()
    return "/api/sessions/" .. session_id(math.random(known)), string.format(
      '{%s,"session_end":%d,"page_count":2,"total_duration":%d,"max_scroll_depth":%d,"click_count":3}',
      start_fields(), os.time() * 1000, count % 600, count % 100
    )
  end,
  confirm = function()
    return "/api/confirm", link_body(), { ["Content-Type"] = "application/json" }
  end,
  unsubscribe = function()
    return string.format("/api/unsubscribe?token=%043d", known + count), "List-Unsubscribe=One-Click",
      { ["Content-Type"] = "application/x-www-form-urlencoded" }
  end,
  redeem = function()
    return "/api/invites/redeem", link_body(),
      { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. string.rep("k", 32) }
  end,
}

function init(args)
  kind, run, known, pause = args[1], tonumber(args[2]), tonumber(args[3]), tonumber(args[4])
  math.randomseed(os.time() + run)
  -- wrk only waits before requests if this function exists.
  if pause > 0 then
    function delay()
      return math.floor(-pause * math.log(1 - math.random()) + 0.5)
    end
  end
end

function request()
  count = count + 1
  local path, body, headers = make[kind]()
  headers = headers or { ["Content-Type"] = "text/plain;charset=UTF-8" }
  headers["X-Forwarded-For"] = string.format("10.%d.%d.%d", math.random(0, 255), math.random(0, 255), math.random(0, 255))
  return wrk.format("POST", path, headers, body)
end

-- wrk's durations are in microseconds.
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"answered":%d,"refused":%d,"failed":%d,"perSecond":%.3f,"p50":%.3f,"p99":%.3f,"p999":%.3f,"processorMs":%.0f}\n',
    summary.requests - errors.status, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    (summary.requests - errors.status) / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency:percentile(99.9) / 1000, os.clock() * 1000
  ))
end
