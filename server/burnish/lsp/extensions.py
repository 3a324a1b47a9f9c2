"""The names of what we add to the protocol; docs/lsp-extensions.md describes each of them."""

REFINE_COMMAND = "burnish.server.refine"
CANCEL_COMMAND = "burnish.server.cancel"
PROPOSAL = "burnish/proposal"
ACCEPT = "burnish/accept"
REJECT = "burnish/reject"
TRUST = "burnish/trust"
