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

/**
 * Checks a deployed site as its first visitor sees it: health, pages and their headers. Returns what is wrong, each with
 * its path.
 *
 * @param origin `https://` and the host
 * @param patienceMs how long to look again while something is wrong: a new address takes a while to be known everywhere, and
 *   mail that waited a minute to be sent
 */
export async function smokeTest(origin: string, patienceMs = 0): Promise<string[]> {
  const deadline = Date.now() + patienceMs
  const wanted = Object.entries({ '/api/health': 200, ...PAGES })
  for (;;) {
    const found = await Promise.all(wanted.map(([path, status]) => look(origin, path, status)))
    const faults = found.flat()
    if (faults.length === 0 || Date.now() >= deadline) return faults
    await sleep(2_000)
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
