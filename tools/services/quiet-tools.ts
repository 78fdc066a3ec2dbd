/** Keeps the build tools from asking anybody anything: no telemetry, no lookup of where this machine stands. */
export const quietTools = {
  ASTRO_TELEMETRY_DISABLED: '1',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_SEND_METRICS: 'false',
  NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
}
