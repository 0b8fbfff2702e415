-- Lua's binding of libuv: timers, a TCP echo, a pipe to a child, files, work in threads, an async handle.
local uv = require('luv')

local function check(ok, message)
  if not ok then
    io.stderr:write(debug.traceback('failed: ' .. tostring(message)), '\n')
    os.exit(1)
  end
  return ok
end

local here = uv.fs_realpath(os.getenv('CLIENTS_LIB'))
for line in io.lines('/proc/self/maps') do
  if line:find('libuv.so', 1, true) then check(line:find(here, 1, true), line) end
end

local done = {}

local timer = uv.new_timer()
local ticks = 0
timer:start(1, 2, function()
  ticks = ticks + 1
  if ticks == 10 then
    timer:close()
    done.timer = true
  end
end)

local server = uv.new_tcp()
check(server:bind('127.0.0.1', 0))
check(server:listen(128, function(err)
  check(not err, err)
  local peer = uv.new_tcp()
  check(server:accept(peer))
  peer:read_start(function(read_err, chunk)
    check(not read_err, read_err)
    if chunk then peer:write(chunk) else peer:close() end
  end)
end))
local client = uv.new_tcp()
local echoed = 0
local total = 1000000
client:connect('127.0.0.1', server:getsockname().port, function(err)
  check(not err, err)
  client:read_start(function(read_err, chunk)
    check(not read_err, read_err)
    echoed = echoed + #(chunk or '')
    if echoed == total then
      client:close()
      server:close()
      done.tcp = true
    end
  end)
  for _ = 1, 10 do client:write(string.rep('x', total / 10)) end
end)

local out = uv.new_pipe(false)
local text = ''
local process
process = check(uv.spawn('sh', { args = { '-c', 'echo hello; exit 3' }, stdio = { nil, out, 2 } }, function(code)
  check(code == 3, code)
  process:close()
  done.exit = true
end))
out:read_start(function(err, chunk)
  check(not err, err)
  if chunk then
    text = text .. chunk
  else
    check(text == 'hello\n', text)
    out:close()
    done.output = true
  end
end)

uv.fs_open('file', 'w+', 384, function(err, fd)
  check(not err, err)
  uv.fs_write(fd, 'content', 0, function(write_err, n)
    check(n == 7, write_err)
    uv.fs_read(fd, 100, 0, function(_, data)
      check(data == 'content', data)
      uv.fs_close(fd, function() done.file = true end)
    end)
  end)
end)

local work = uv.new_work(function(n) return n * 2 end, function(n)
  check(n == 42, n)
  done.work = true
end)
check(work:queue(21))

local async
async = uv.new_async(function()
  async:close()
  done.async = true
end)
async:send()

uv.run()
for _, name in ipairs({ 'timer', 'tcp', 'exit', 'output', 'file', 'work', 'async' }) do check(done[name], name) end
print('timers, an echo of 1 MB, a child, a file, work, an async handle')
