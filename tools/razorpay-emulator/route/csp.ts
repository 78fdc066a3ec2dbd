const common =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; " +
  "img-src 'self' data:; frame-src 'self'; base-uri 'none'"

/** Only pages of this machine may show the checkout frame; nobody may frame the others. */
export function cspFor(kind: 'frame' | 'page'): string {
  const ancestors = kind === 'frame' ? 'http://localhost:* http://127.0.0.1:*' : "'none'"
  return `${common}; form-action 'self'; frame-ancestors ${ancestors}`
}
