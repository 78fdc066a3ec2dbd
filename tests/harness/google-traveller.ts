import { randomUUID } from 'node:crypto'
import { newVisitor, type Answer, type CallOptions, type Visitor } from './visitor.ts'

export interface GooglePerson {
  sub: string
  name: string
  email: string
  email_verified: boolean
}

/** Somebody with a Google account that nobody else in this run has. */
export function newPerson(overrides: Partial<GooglePerson> = {}): GooglePerson {
  const mark = randomUUID().replaceAll('-', '').slice(0, 12)
  return {
    sub: `emu-${mark}`,
    name: `Test ${mark}`,
    email: `${mark}@example.test`,
    email_verified: true,
    ...overrides,
  }
}

/** A visitor with a browser's cookies who walks through a sign-in with Google step by step. */
export function newTraveller(siteUrl: string, visitor: Visitor = newVisitor(siteUrl)) {
  const cookies = new Map<string, string>()

  async function call(path: string, options: CallOptions = {}): Promise<Answer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...options.headers, ...(cookie === '' ? {} : { cookie }) }
    const answer = await visitor.call(path, { ...options, headers })
    for (const line of answer.headers.getSetCookie()) keep(line)
    return answer
  }

  function keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/max-age=0\b/i.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }

  /** From the button to the address Google sends back to. */
  async function agree(person: GooglePerson, next = ''): Promise<string> {
    const query = next === '' ? '' : `?${new URLSearchParams({ next }).toString()}`
    const location = locationOf(await call(`/api/auth/google/start${query}`))
    const { origin, searchParams } = new URL(location)
    const form = new URLSearchParams(searchParams)
    form.set('person', JSON.stringify(person))
    const answer = await fetch(`${origin}/authorize`, {
      method: 'POST',
      body: form,
      redirect: 'manual',
    })
    return answer.headers.get('location') ?? ''
  }

  return {
    cookies,
    call,
    agree,
    /** The whole way back: where /login is opened with. */
    arrive: async (person: GooglePerson, next = '') =>
      locationOf(await call(await agree(person, next))),
    finish: (code: string) => call('/api/auth/google/finish', { json: { code } }),
    signIn: async (person: GooglePerson) => {
      const login = locationOf(await call(await agree(person)))
      return call('/api/auth/google/finish', { json: { code: codeOf(login) } })
    },
  }
}

export function locationOf(answer: Answer): string {
  return answer.headers.get('location') ?? ''
}

/** The one-time code in the fragment of /login. */
export function codeOf(login: string): string {
  return new URLSearchParams(login.split('#')[1]).get('google') ?? ''
}
