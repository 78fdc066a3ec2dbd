/**
 * What the site itself says is missing, as one line; null when it is ready. It answers pages all the same, so
 * without this a spoilt .dev.vars would look like a start that went well.
 */
export async function notReadyLine(origin: string): Promise<string | null> {
  const response = await fetch(`${origin}/api/health`, { signal: AbortSignal.timeout(10_000) })
  const body: unknown = await response.json()
  if (response.ok) return null
  const said = typeof body === 'object' && body !== null && 'message' in body ? body.message : ''
  return `It answers, but is not ready (${String(said)}). Secrets stand in .dev.vars: correct what is named there, or delete the file to have new ones made.`
}
