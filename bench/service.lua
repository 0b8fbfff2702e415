-- The requests of bench/service-cost, for wrk: the routes of bench/service.js in turn.
local count = 0
local json = { ["Content-Type"] = "application/json" }

function request()
  count = count + 1
  local kind = count % 4
  if kind == 0 then
    return wrk.format("GET", "/products/" .. (count * 31 % 2000 + 1))
  elseif kind == 1 then
    return wrk.format("GET", "/search?from=" .. count % 97)
  elseif kind == 2 then
    return wrk.format("POST", "/orders", json, '{"product":' .. (count % 2000 + 1) .. ',"amount":3}')
  end
  return wrk.format("GET", "/pages/page" .. count % 8)
end
