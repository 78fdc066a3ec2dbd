// A desktop app in a terminal, on client.ts: it signs in by a code, shows the balance, answers questions with a made-up
// model, looks for an update and signs out. `npm start`, and `npm run example` in a second terminal.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { openClient } from './client.ts'

const VERSION = '1.0.0'

/**
 * Runs until the input ends or a line is empty.
 *
 * @param {string[]} words the origin of the site, and the file that keeps what outlives the app
 */
export async function example([origin = 'http://localhost:8787', file = '.data/example.json']) {
  const client = await openClient({ origin, clientName: hostname(), ...storedIn(file) })
  const reason = await client.rejection(VERSION)
  if (reason !== null) {
    console.log(reason)
    return
  }
  // Uses of an earlier run that could not be sent. It waits for the network, so nothing waits for it.
  void client.flush()
  if (!(await signIn(client))) return
  await showBalance(client)
  await showUpdate(origin)
  console.log('Ask something. An empty line signs out.')
  const sessionId = crypto.randomUUID()
  const lines = createInterface({ input: process.stdin })
  for await (const question of lines) {
    if (question.trim() === '') break
    await answer(client, question, sessionId)
  }
  // A terminal stays open, and would keep this program running.
  lines.close()
  await client.signOut()
  console.log('Signed out.')
}

/** @typedef {Awaited<ReturnType<typeof openClient>>} Client */

/**
 * A real app keeps the token in the system's key chain and only the rest in a file.
 *
 * @param {string} file
 * @returns {Pick<import('./client.ts').Options, 'load' | 'save'>}
 */
function storedIn(file) {
  mkdirSync(dirname(file), { recursive: true })
  return {
    load: async () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null),
    save: async (kept) => {
      // A crash leaves the old file or the new one whole.
      writeFileSync(`${file}.new`, JSON.stringify(kept), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
  }
}

/**
 * Whether somebody is signed in now: by an earlier run, or by a code that was confirmed in a browser.
 *
 * @param {Client} client
 */
async function signIn(client) {
  const { isSignedIn } = await client.status()
  if (isSignedIn) return true
  try {
    await client.signIn((code, url) => {
      // A real app opens the address in the browser.
      console.log(`Open ${url} and confirm the code ${code}.`)
    })
    return true
  } catch (error) {
    console.log(error instanceof Error ? error.message : error)
    return false
  }
}

/** @param {Client} client */
async function showBalance(client) {
  const { tokensLeft, sessionEndsAt } = await client.status()
  if (tokensLeft === null || sessionEndsAt === null) {
    console.log('The balance cannot be shown: no answer came.')
    return
  }
  console.log(`${tokensLeft} tokens left, signed in until ${sessionEndsAt.toDateString()}.`)
}

/**
 * electron-updater reads this feed by itself (provider `generic`).
 *
 * @param {string} origin
 */
async function showUpdate(origin) {
  try {
    const feed = await fetch(`${origin}/download/latest-mac.yml`)
    const { version } = await feed.json()
    const isNewest = version === VERSION
    console.log(isNewest ? `Version ${VERSION} is the newest.` : `Version ${version} is there.`)
  } catch {
    console.log('Whether there is an update is not known: no answer came.')
  }
}

/**
 * Spends first, answers then: what was refused costs nothing, and what was queued is sent later.
 *
 * @param {Client} client
 * @param {string} question
 * @param {string} sessionId
 */
async function answer(client, question, sessionId) {
  const { text, tokens } = askModel(question)
  const spent = await client.spend(tokens, { sessionId, mode: 'interview' })
  if (spent === 'counted' || spent === 'queued') {
    console.log(`${text} (${tokens} tokens, ${spent})`)
    return
  }
  console.log(spent === 'refused' ? 'Too few tokens: buy a pack first.' : 'Please sign in again.')
}

/**
 * Stands for the model: a token is about four letters of question and answer.
 *
 * @param {string} question
 */
function askModel(question) {
  const text = `You asked: "${question}". Take a breath, then begin with an example.`
  return { text, tokens: Math.ceil((question.length + text.length) / 4) }
}
