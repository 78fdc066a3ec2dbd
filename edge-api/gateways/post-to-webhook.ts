import type { AlertWebhook } from '../domain/ports/alert-webhook.ts'

interface AlertWebhookEnv {
  /** An incoming webhook of Slack, Discord or one that reads either's JSON; '' for none. */
  ALARM_WEBHOOK_URL: string
  /** Called by GET; '' for none. */
  HEARTBEAT_URL: string
}

/** The timeout of one call. A job makes it, so no request waits. */
const TIMEOUT_MS = 10_000

/** Discord rejects a message of more than 2,000 characters. */
const TEXT_MAX = 1_900

/** The alert webhook, without the functions whose address is not set. */
export function alertWebhookOf({
  ALARM_WEBHOOK_URL,
  HEARTBEAT_URL,
}: AlertWebhookEnv): AlertWebhook {
  return {
    post: ALARM_WEBHOOK_URL === '' ? null : (text) => post(ALARM_WEBHOOK_URL, text),
    heartbeat: HEARTBEAT_URL === '' ? null : () => call(HEARTBEAT_URL, { method: 'GET' }),
  }
}

/** Slack reads `text`, Discord reads `content`, and each ignores the other. */
async function post(url: string, message: string): Promise<void> {
  const text = message.slice(0, TEXT_MAX)
  await call(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text, content: text }),
  })
}

/** The address did not take a call. The message does not name the address, because anybody who knows it can post. */
class NotTaken extends Error {
  override readonly name = 'NotTaken'
}

async function call(url: string, init: RequestInit): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const answered = fetch(url, { ...init, redirect: 'manual', signal })
  const response = await answered.catch((error: unknown) => {
    throw new NotTaken(error instanceof Error ? error.name : 'unknown')
  })
  await response.body?.cancel()
  if (!response.ok) throw new NotTaken(`status ${response.status}`)
}
