import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A page of each kind: prebuilt, an app shell, one behind a secret link, one made by the Worker, and two that do not exist.
 */
const PAGES = {
  '/': 200,
  '/dashboard': 200,
  '/verify-email/none': 200,
  '/not-me/none': 200,
  '/api/docs': 200,
  '/none': 302,
  '/_astro/none.js': 404,
}
const HEADERS = [
  'Strict-Transport-Security',
  'X-Content-Type-Options',
  'Referrer-Policy',
  'X-Frame-Options',
  'Content-Security-Policy',
]

/** What a deployment expects of a site. */
interface Expected {
  /** How long to look again while something is wrong: a new address takes a while to be known everywhere, and mail to be sent. */
  patienceMs?: number
  /** How long it waits before it looks again. */
  pauseMs?: number
  /** The origins that could show the admin pages, and the team at Cloudflare Access to whose sign-in they may lead. */
  admin?: { hosts: readonly string[]; team: string }
}

/**
 * Checks a deployed site as its first visitor sees it: health, pages and their headers, and that nobody gets the admin pages.
 * Returns what is wrong, each with its path.
 *
 * @param origin `https://` and the host
 */
export async function smokeTest(
  origin: string,
  { patienceMs = 0, pauseMs = 2_000, admin = { hosts: [origin], team: '' } }: Expected = {},
): Promise<string[]> {
  const deadline = Date.now() + patienceMs
  const wanted = Object.entries({ '/api/health': 200, ...PAGES })
  for (;;) {
    const found = await Promise.all(wanted.map(([path, status]) => look(origin, path, status)))
    const closed = await Promise.all(admin.hosts.map((host) => lookAtAdmin(host, admin.team)))
    const faults = [...found, ...closed].flat()
    if (faults.length === 0 || Date.now() >= deadline) return faults
    await sleep(pauseMs)
  }
}

async function look(origin: string, path: string, wanted: number): Promise<string[]> {
  try {
    const { status, headers } = await fetch(origin + path, { redirect: 'manual' })
    if (status !== wanted) return [`${path} answers ${status}, not ${wanted}`]
    if (status !== 200) return []
    const absent = HEADERS.filter((name) => !headers.has(name))
    // Each file has a policy against framing; only a page's own says where its scripts may come from.
    const isOpen = !/default-src/.test(headers.get('Content-Security-Policy') ?? '')
    return [...absent, ...(isOpen ? ['policy of its own'] : [])].map(
      (name) => `${path} has no ${name}`,
    )
  } catch {
    return [`${path} cannot be reached`]
  }
}

/** Without the sign-in, `/admin` is 404 or leads to it, and nowhere else. */
async function lookAtAdmin(host: string, team: string): Promise<string[]> {
  try {
    const { status, headers } = await fetch(`${host}/admin`, { redirect: 'manual' })
    const to = URL.parse(headers.get('Location') ?? '')
    const isSignIn = status === 302 && team !== '' && to?.origin === new URL(team).origin
    return status === 404 || isSignIn
      ? []
      : [`${host}/admin answers ${status}, not the sign-in or 404`]
  } catch {
    return [`${host}/admin cannot be reached`]
  }
}
