import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, inject } from 'vitest'
import { googleEmulatorSpec, googleVars } from '../../tools/services/emulators.ts'
import { runService, type Service, startWorker, type Worker } from './services.ts'
import { newVisitor, type Answer, type CallOptions, type Visitor } from './visitor.ts'

interface GoogleEmulator extends Service {
  url: string
  /** The Worker's variables for signing in with this emulator. */
  vars: Record<string, string>
  /** Makes its next exchange of a code fail in this way. */
  misbehave: (fault: string) => Promise<void>
}

/** Starts a separate Google emulator. After restart() it signs with another key. */
export async function startGoogle(): Promise<GoogleEmulator> {
  const service = await runService('google', (port, folder) =>
    googleEmulatorSpec({ port, logFile: join(folder, 'google.log') }),
  )
  const url = `http://127.0.0.1:${service.port}`
  return {
    ...service,
    url,
    vars: googleVars(service.port),
    misbehave: async (fault) => {
      const answer = await fetch(`${url}/__emu/next`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-emu-control': 'local' },
        body: JSON.stringify({ fault }),
      })
      if (!answer.ok) throw new Error(`the emulator does not know ${fault}`)
    },
  }
}

/** For the tests of a file: a Worker on the run's database that signs in with the Google emulator. */
export function useGoogleSite() {
  let started: { google: GoogleEmulator; worker: Worker } | undefined

  beforeAll(async () => {
    const google = await startGoogle()
    const worker = await startWorker({
      databaseUrl: inject('databaseUrl'),
      emulatorUrl: inject('emulatorUrl'),
      vars: google.vars,
    })
    started = { google, worker }
  })

  afterAll(async () => {
    await started?.worker.stop()
    await started?.google.stop()
  })

  const running = () => {
    if (started === undefined) throw new Error('The site with Google is up only while tests run.')
    return started
  }
  return {
    get google() {
      return running().google
    },
    get url() {
      return running().worker.url
    },
  }
}

export interface GoogleUser {
  sub: string
  name: string
  email: string
  email_verified: boolean
}

/** A user with a Google account that nobody else in this run has. */
export function newUser(overrides: Partial<GoogleUser> = {}): GoogleUser {
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
export function newTraveller(
  siteUrl: string,
  visitor: Pick<Visitor, 'call'> = newVisitor(siteUrl),
) {
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

  /** Signs in at Google; returns the address to which Google sends the browser back. */
  async function agree(googleUser: GoogleUser, next = ''): Promise<string> {
    const query = next === '' ? '' : `?${new URLSearchParams({ next }).toString()}`
    const location = locationOf(await call(`/api/auth/google/start${query}`))
    const { origin, searchParams } = new URL(location)
    const form = new URLSearchParams(searchParams)
    form.set('person', JSON.stringify(googleUser))
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
    /** Signs in at Google and returns to our site; returns the address of /login it leads to. */
    arrive: async (googleUser: GoogleUser, next = '') =>
      locationOf(await call(await agree(googleUser, next))),
    finish: (code: string) => call('/api/auth/google/finish', { json: { code } }),
    signIn: async (googleUser: GoogleUser) => {
      const login = locationOf(await call(await agree(googleUser)))
      return call('/api/auth/google/finish', { json: { code: codeOf(login) } })
    },
  }
}

export function locationOf(answer: Answer): string {
  return answer.headers.get('location') ?? ''
}

/** The ticket's code in the fragment of /login. */
export function codeOf(login: string): string {
  return new URLSearchParams(login.split('#')[1]).get('google') ?? ''
}
