-- Neovim without a screen: jobs, timers, a terminal, channels and its own binding of libuv.
local function fail(message)
  io.stderr:write('failed: ' .. tostring(message) .. '\n')
  vim.cmd('cquit')
end

local ok, err = pcall(function()
  local output, code = {}, nil
  local job = vim.fn.jobstart({ 'sh', '-c', 'read line; echo "got $line"; exit 7' }, {
    stdout_buffered = true,
    on_stdout = function(_, data) output = data end,
    on_exit = function(_, status) code = status end,
  })
  vim.fn.chansend(job, 'a line\n')
  vim.fn.jobwait({ job }, 10000)
  assert(vim.wait(10000, function() return code ~= nil and #output > 0 end), 'the job did not end')
  assert(code == 7 and output[1] == 'got a line', vim.inspect({ code, output }))

  local ended, right = 0, 0
  for i = 1, 20 do
    vim.fn.jobstart({ 'sh', '-c', 'exit ' .. i }, {
      on_exit = function(_, status)
        ended = ended + 1
        right = right + (status == i and 1 or 0)
      end,
    })
  end
  assert(vim.wait(10000, function() return ended == 20 end), 'twenty jobs did not end')
  assert(right == 20, right)

  local ticks = 0
  vim.fn.timer_start(2, function() ticks = ticks + 1 end, { ['repeat'] = 10 })
  assert(vim.wait(10000, function() return ticks == 10 end), 'timers')

  assert(vim.fn.system({ 'cat' }, 'input') == 'input', 'system')
  vim.cmd('terminal echo in a terminal')
  assert(vim.wait(10000, function()
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'):find('in a terminal') ~= nil
  end), 'terminal')

  local other = vim.fn.jobstart({ 'nvim', '--embed', '--headless', '-u', 'NONE', '-i', 'NONE', '-n' }, { rpc = true })
  assert(vim.fn.rpcrequest(other, 'nvim_eval', '6 * 7') == 42, 'rpc')
  local address = vim.fn.rpcrequest(other, 'nvim_call_function', 'serverstart', { './socket' })
  local channel = vim.fn.sockconnect('pipe', address, { rpc = true })
  assert(vim.fn.rpcrequest(channel, 'nvim_eval', '7 * 6') == 42, 'rpc over a socket')
  vim.fn.chanclose(channel)
  vim.fn.jobstop(other)

  local written
  vim.loop.fs_open('file', 'w', 384, function(_, fd)
    vim.loop.fs_write(fd, 'x', 0, function() vim.loop.fs_close(fd, function() written = true end) end)
  end)
  assert(vim.wait(10000, function() return written end), 'files')

  vim.cmd('edit edited')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'one', 'two' })
  vim.cmd('silent write')
  assert(vim.fn.readfile('edited')[2] == 'two', 'write')
end)
if ok then
  io.stdout:write('jobs, timers, a terminal, another neovim, files\n')
  vim.cmd('qall!')
else
  fail(err)
end
