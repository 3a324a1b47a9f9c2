-- Burnish for Neovim 0.11 and later: `vim.lsp.enable('burnish')`.
-- Override parts of it with `vim.lsp.config('burnish', { ... })`; docs/editors.md has examples.

---@type vim.lsp.Config
return {
  cmd = { 'burnish', 'lsp' },
  filetypes = { 'python' },
  root_markers = { 'pyproject.toml', 'setup.py', 'setup.cfg', '.git' },
  settings = { burnish = {} },
}
