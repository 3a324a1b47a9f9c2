-- Run by test_neovim.py in a headless Neovim. Its input is JSON in BURNISH_TEST: the folder of our plugin, the command of
-- the server, a Python file, the settings, the cursor, and the buffer's lines afterwards.
local test = vim.json.decode(vim.env.BURNISH_TEST)

local function fail(message)
  io.stderr:write('FAIL ' .. message .. '\n')
  os.exit(1)
end

local function wait_for(what, condition)
  if not vim.wait(20000, condition, 20) then
    fail('waited in vain for ' .. what .. '\n' .. vim.fn.execute('messages'))
  end
end

vim.opt.runtimepath:prepend(test.plugin)
vim.lsp.config('burnish', { cmd = test.command, settings = { burnish = test.settings } })
vim.lsp.enable('burnish')
vim.cmd('filetype on')
vim.cmd.edit(test.file)
local buffer = vim.api.nvim_get_current_buf()

local function client()
  return vim.lsp.get_clients({ bufnr = buffer, name = 'burnish' })[1]
end

local function lines()
  return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
end

wait_for('the client', function()
  return client() and client().initialized
end)
if client().offset_encoding ~= 'utf-8' then
  fail('positions are counted in ' .. client().offset_encoding)
end

local prompt
vim.ui.select = function(items, options, on_choice)
  prompt = options.prompt
  for _, item in ipairs(items) do
    if item.title == 'Apply' then
      return on_choice(item)
    end
  end
  fail('there is nothing to apply in ' .. vim.inspect(items))
end

local progress = {}
vim.api.nvim_create_autocmd('LspProgress', {
  callback = function(event)
    table.insert(progress, event.data.params.value.kind)
  end,
})

local before = lines()
vim.api.nvim_win_set_cursor(0, test.cursor)
vim.lsp.buf.code_action({
  context = { only = { 'refactor.rewrite.burnish.performance' }, diagnostics = {} },
  apply = true,
})
wait_for('the edit', function()
  return vim.deep_equal(lines(), test.expected)
end)
if not prompt or not prompt:find(test.prompt, 1, true) then
  fail('the user was asked ' .. vim.inspect(prompt))
end
wait_for('the end of the progress', function()
  return progress[1] == 'begin' and progress[#progress] == 'end'
end)
vim.cmd('silent undo')
if not vim.deep_equal(lines(), before) then
  fail('one undo gives ' .. table.concat(lines(), '\n'))
end

local stopping = client()
stopping:stop()
wait_for('the end of the server', function()
  return stopping:is_stopped()
end)
io.stdout:write('PASS\n')
