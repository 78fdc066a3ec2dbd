import { expect, test } from 'vitest'
import { serveShell } from './serve-shell.ts'

const assets = {
  fetch: ({ url }: Request) => Promise.resolve(new Response(new URL(url).pathname)),
}

const ask = (path: string) => serveShell(new Request(`https://forged.example${path}`), assets, [])

test('an unknown page leads to the landing page over https only, and never to the host that the request names', async () => {
  for (const path of ['/no-such-page', '//evil.example', '/verify-email/a/b']) {
    const { status, headers } = await ask(path)
    expect({ status, location: headers.get('Location') }).toEqual({ status: 302, location: '/' })
    expect(headers.get('Strict-Transport-Security')).toMatch(/^max-age=\d{8,}; includeSubDomains$/)
  }
})

test.each(['verify-email', 'not-me', 'reset-password'])(
  'a page at /%s/… sends its address, which holds a secret, to no other site and into no cache',
  async (page) => {
    const answer = await ask(`/${page}/secret-of-a-mail`)
    expect(await answer.text()).toBe(`/${page}`)
    expect(await (await ask(`/${page}/secret-of-a-mail/`)).text()).toBe(`/${page}`)
    expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
  },
)

test.each(['/_astro/gone.js', '/download/tauri-linux.json', '/download/latest-linux.yml'])(
  'the missing file %s is a text that no browser keeps or takes for a script',
  async (path) => {
    const { status, headers } = await ask(path)
    expect(status).toBe(404)
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  },
)
