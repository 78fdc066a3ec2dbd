/** The frame's two lines to the outside: messages to the page that opened it, requests to the emulator. */
const query = new URLSearchParams(location.search)
const parentOrigin = query.get('parent') ?? ''
const channel = query.get('channel') ?? ''

function isLoopback(origin) {
  if (!URL.canParse(origin)) return false
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname)
}

export const theme = query.get('theme') === 'dark' ? 'dark' : 'light'

/** Tells the page; only a page of this machine that named itself when it opened the frame. */
export function tell(message) {
  if (isLoopback(parentOrigin)) parent.postMessage({ ...message, channel }, parentOrigin)
}

/** Hears the page, and nobody else. */
export function listen(onMessage) {
  addEventListener('message', (event) => {
    const isParent = event.source === parent && event.origin === parentOrigin
    if (isParent && isLoopback(event.origin) && event.data?.channel === channel) {
      onMessage(event.data)
    }
  })
}

/** Asks the emulator; throws an Error with its words when it refuses. */
export async function ask(path, body) {
  const options = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await fetch(`/checkout/api/${path}`, options)
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error?.description ?? 'The emulator did not answer')
  return answer
}
