// What a desktop app needs of the API, to copy into the app: sign in by a code, spend tokens, keep what could not be sent.
// It needs `fetch` and `crypto` as Node 22 and Electron's main process have them, not web views. README.md explains why.

/** `counted`: give the answer. `queued`: give it, the use is sent later. `refused`: too few tokens. `signed-out`: sign in. */
export type Spent = 'counted' | 'queued' | 'refused' | 'signed-out'

interface Use {
  userId: string
  idempotencyKey: string
  amount: number
  sessionId?: string
  mode?: 'interview' | 'meeting' | 'sales' | 'negotiation'
}
type About = Pick<Use, 'sessionId' | 'mode'>

/** What outlives the app. Keep `token` in the system's key chain and the rest in a file. */
export interface SavedState {
  token: string | null
  userId: string | null
  queue: readonly Use[]
  policy?: Pick<Body, 'minimum' | 'withdrawn'>
}

export interface Options {
  /** Of the site: `https://example.com` */
  origin: string
  /** How the approval page names the app: "Ada’s MacBook" */
  clientName: string
  load: () => Promise<SavedState | null>
  /** Resolves once it is safely stored. The next save makes up for one that fails. */
  save: (kept: SavedState) => Promise<void>
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  wait?: (ms: number) => Promise<void>
}

interface Body {
  message?: string
  error?: string
  errors?: { path: string }[]
  access_token: string
  device_code: string
  user_code: string
  verification_uri_complete: string
  interval: number
  user: { id: string; tokens: { used: number; total: number } }
  session: { expiresAt: string }
  results?: { idempotencyKey: string; outcome: 'used' | 'insufficient_tokens' | 'key_reused' }[]
  minimum: string
  withdrawn: { version: string; reason: string }[]
}

interface Reply {
  /** 0 when the server did not reply. */
  status: number
  retryAfterMs: number
  body: Body
}

const USE = '/api/subscription/use-tokens'
const SPENT: Record<number, Spent> = { 200: 'counted', 401: 'signed-out', 402: 'refused' }
const NO_REPLY: Reply = { status: 0, retryAfterMs: 0, body: JSON.parse('{}') }
const isTemporary = ({ status }: Reply) => status === 0 || status === 429 || status >= 500
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Opens the client with what was kept. Open only one at a time: two would overwrite each other's queue. */
export async function openClient(options: Options) {
  const { origin, clientName, load, save, fetch: send = fetch, wait = pause } = options
  let kept: SavedState = (await load()) ?? { token: null, userId: null, queue: [] }
  let flushing: Promise<void> | null = null
  /** The keys of uses that `spend` is sending: `flush` leaves them to it. */
  const reporting = new Set<string>()
  /** Each write waits for the one before it, so that the newest is the last. */
  let saving = Promise.resolve()

  /** Changes nothing once another sign-in has replaced `token`. */
  function keep(changes: Partial<SavedState>, token = kept.token): Promise<void> {
    if (kept.token === token) kept = { ...kept, ...changes }
    return (saving = saving.then(() => save(kept)).catch(() => undefined))
  }

  const drop = (keys: ReadonlySet<string>) =>
    keep({ queue: kept.queue.filter(({ idempotencyKey }) => !keys.has(idempotencyKey)) })

  async function call(path: string, json?: object, token = kept.token, more = {}): Promise<Reply> {
    const bearer = token === null ? {} : { authorization: `Bearer ${token}` }
    const headers = { ...bearer, 'content-type': 'application/json', ...more }
    const sent = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }
    try {
      const signal = AbortSignal.timeout(15_000)
      const response = await send(origin + path, { ...sent, headers, signal })
      const body: Body = await response.json()
      if (response.status === 401) await keep({ token: null }, token)
      const after = response.headers.get('Retry-After') ?? '' // Seconds or a date.
      const retryAfterMs = Number(after) * 1_000 || Date.parse(after) - Date.now() || 0
      return { status: response.status, retryAfterMs, body }
    } catch {
      return NO_REPLY
    }
  }

  /** Waits as the server asks, or twice as long each time, by chance so that apps do not return together; an hour at most. */
  async function untilReplied(ask: () => Promise<Reply>): Promise<Reply> {
    for (let failures = 0; ; failures += 1) {
      const reply = await ask()
      if (!isTemporary(reply)) return reply
      const ownMs = Math.min(300_000, 1_000 * 2 ** failures) * (0.5 + Math.random() / 2)
      await wait(Math.min(3_600_000, Math.max(reply.retryAfterMs, ownMs)))
    }
  }

  /** Signs in by a code (RFC 8628). `show` displays it and opens the address. Throws when the user refuses or is too late. */
  async function signIn(show: (code: string, url: string) => void): Promise<void> {
    const asked = await untilReplied(() => call('/api/device/code', { client_name: clientName }))
    if (asked.status !== 200) throw new Error(asked.body.message)
    const { user_code, verification_uri_complete, device_code, interval } = asked.body
    show(user_code, verification_uri_complete)
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    for (let seconds = interval; ;) {
      await wait(seconds * 1_000)
      const poll = () => call('/api/device/token', { grant_type, device_code })
      const { status, body } = await untilReplied(poll)
      if (status === 200) {
        const old = kept.token
        await keep({ token: body.access_token, userId: null })
        if (old !== null) void call('/api/auth/logout', {}, old)
        await untilReplied(check)
        return
      }
      if (body.error === 'slow_down') seconds += 5
      else if (body.error !== 'authorization_pending') throw new Error(body.message)
    }
  }

  async function check(): Promise<Reply> {
    const { token } = kept
    const reply = await call('/api/auth/me')
    if (reply.status === 200) await keep({ userId: reply.body.user.id }, token)
    // After another sign-in it is about the account before.
    return reply.status === 200 && kept.token !== token ? NO_REPLY : reply
  }

  /** Whether a user is signed in and, when the server replied, more. It moves the end of the session, so ask at each start. */
  async function status() {
    const { status: code, body } = await check()
    const about = { isSignedIn: kept.token !== null, tokensLeft: null, sessionEndsAt: null }
    if (code !== 200) return about
    const { used, total } = body.user.tokens
    return { ...about, tokensLeft: total - used, sessionEndsAt: new Date(body.session.expiresAt) }
  }

  /** Sends each use that waits, and keeps those for which too few tokens are left. Call it at each start. */
  const flush = () => (flushing ??= sendQueue().finally(() => void (flushing = null)))

  /** Spends tokens for an answer that is about to be given. The use is stored first, so that a crash loses none. */
  async function spend(amount: number, about: About = {}): Promise<Spent> {
    const { token, userId } = kept
    if (token === null || userId === null) return 'signed-out'
    const key = crypto.randomUUID()
    reporting.add(key)
    await keep({ queue: [...kept.queue, { ...about, amount, idempotencyKey: key, userId }] })
    const reply = await call(USE, { ...about, amount }, token, { 'Idempotency-Key': key })
    reporting.delete(key)
    const spent = isTemporary(reply) ? 'queued' : SPENT[reply.status]
    if (spent === 'queued') void flush()
    else await drop(new Set([key]))
    if (spent === undefined) throw new Error(reply.body.message)
    return spent
  }

  async function sendQueue(): Promise<void> {
    /** The keys of uses for which too few tokens are left. Smaller ones behind them may fit. */
    const tooLarge = new Set<string>()
    for (;;) {
      const { token, userId, queue } = kept
      const isNext = ({ userId: of, idempotencyKey: key }: Use) =>
        of === userId && !reporting.has(key) && !tooLarge.has(key)
      const mine = queue.filter(isNext).slice(0, 500)
      if (mine.length === 0 || token === null) return
      const uses = mine.map((use) => ({ ...use, userId: undefined }))
      const { body } = await untilReplied(() => call(`${USE}/batch`, { uses }, token))
      // A fault of the app: the server will never take these, and takes no other beside them.
      const faulty = body.errors?.flatMap(({ path }) => mine[Number(path.split('.')[1])] ?? [])
      const done = new Set(faulty?.map(({ idempotencyKey }) => idempotencyKey))
      for (const { idempotencyKey: key, outcome } of body.results ?? [])
        (outcome === 'insufficient_tokens' ? tooLarge : done).add(key)
      await drop(done)
      // The server rejected the whole call, and would again: all uses wait for the next flush.
      if (done.size === 0 && body.results === undefined && kept.token === token) return
    }
  }

  /** Why this version of the app may not be used any more; null while it may. Without a reply, the last one counts. */
  async function rejection(version: string): Promise<string | null> {
    const { status: code, body } = await call('/api/app/policy')
    if (code === 200) await keep({ policy: body })
    const { minimum, withdrawn } = kept.policy ?? { minimum: '', withdrawn: [] }
    const isOld = version.localeCompare(minimum, 'en', { numeric: true }) < 0
    if (isOld) return `This version is too old: please update to ${minimum} or later.`
    return withdrawn.find((one) => one.version === version)?.reason ?? null
  }

  /** Ends the session, or forgets it where no reply comes. What waits is sent after the next sign-in of the same account. */
  async function signOut(): Promise<void> {
    const { token } = kept
    await call('/api/auth/logout', {})
    await keep({ token: null }, token)
  }

  return { signIn, signOut, status, spend, flush, rejection }
}
