-- The same for Neovim, whose loop is libuv's: check 15 ms, 40 ms of waiting, timers 20 ms, poll 10 ms.
local uv = vim.loop
local output = os.getenv('KNOWN_OUTPUT')
local measured = {}

local function work(name, ms)
  local begin = uv.hrtime()
  while (uv.hrtime() - begin) / 1e6 < ms do end
  table.insert(measured, string.format('{"name":"%s","ms":%f}', name, (uv.hrtime() - begin) / 1e6))
end

local check, timer = uv.new_check(), uv.new_timer()
check:start(function()
  check:stop()
  work('check', 15)
  uv.update_time() -- the timer counts from now on
  timer:start(40, 0, function()
    work('timers', 20)
    uv.fs_stat('/', function()
      work('poll', 10)
      local file = io.open(output, 'w')
      file:write('[' .. table.concat(measured, ',') .. ']')
      file:close()
      vim.schedule(function() vim.cmd('qa!') end)
    end)
  end)
end)
