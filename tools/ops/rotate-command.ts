import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { GatewayUnauthorized } from '../../edge-api/domain/ports/payments.ts'
import { minutes } from '../../edge-api/domain/time.ts'
import { secretsFile } from '../deploy/environment.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { root } from '../launcher/settings.ts'
import {
  rotateKey,
  rotateList,
  type Rotation,
  type SecretsFile,
  type Way,
  writeValues,
} from './rotate.ts'
import { contextWith, type Target } from './target.ts'

interface Words extends Target {
  /** `jwt`, `webhook` or `razorpay-key`. */
  first: string
  /** The id of the new key. */
  second: string
  isWrite: boolean
  leaked?: boolean
  'drop-old'?: boolean
}

/** `ops rotate`: says what it would write into the file of secrets and what to do then, and writes it with `--write`. */
export async function rotate(words: Words): Promise<string[]> {
  const { environment, isWrite } = words
  const path = environment === null ? '.dev.vars' : secretsFile(environment.name)
  const flag = environment === null ? '' : `--env ${environment.name}`
  const { values, says } = await plan(words, { path: join(root, path), flag, now: Date.now() })
  if (environment !== null) says.push(ELSEWHERE)
  const names = Object.keys(values).join(' and ')
  if (!isWrite)
    return [...says, `Nothing is changed yet. To change ${names} in ${path}, add: --write`]
  writeValues(join(root, path), values)
  return [`Changed ${names} in ${path}.`, ...says]
}

const ELSEWHERE =
  "Change your other copies too. The repository's environment at GitHub would bring the old value back with a deployment by tag."

async function plan(words: Words, file: SecretsFile): Promise<Rotation> {
  const { first, second } = words
  if ((first === 'jwt' || first === 'webhook') && second === '')
    return rotateList(first, wayOf(words), file)
  if (first !== 'razorpay-key' || second === '') {
    throw new LaunchError('Usage: npm run ops -- rotate jwt|webhook|razorpay-key ID')
  }
  const key = { id: second, secret: await readSecret() }
  await requireAccepted(words, key)
  return rotateKey(key, file.flag)
}

/** What is piped in, or a line typed into the terminal, which does not show it. Throws a LaunchError without any. */
export async function readSecret(): Promise<string> {
  const secret = (await (process.stdin.isTTY ? typedLine() : text(process.stdin))).trim()
  if (secret === '') throw new LaunchError('No secret was given. Nothing is changed.')
  return secret
}

function typedLine(): Promise<string> {
  // In the terminal's raw mode readline alone repeats what is typed, and here to nobody.
  const output = new Writable({ write: (_bytes, _encoding, done) => done() })
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output, terminal: true })
    console.log('Paste the secret of the key, which is not shown, then Enter:')
    lines.once('close', () => resolve(''))
    lines.once('line', (line) => {
      resolve(line)
      lines.close()
    })
  })
}

function wayOf({ leaked, 'drop-old': dropsOld }: Words): Way {
  if (leaked && dropsOld) throw new LaunchError('Use one of --leaked and --drop-old.')
  if (leaked) return 'leaked'
  return dropsOld ? 'drop-old' : 'add'
}

/** Asks Razorpay something with the new key. Throws a LaunchError when it is not accepted. */
async function requireAccepted(target: Target, key: { id: string; secret: string }): Promise<void> {
  const ctx = contextWith(target, { RAZORPAY_KEY_ID: key.id, RAZORPAY_KEY_SECRET: key.secret })
  if (ctx.payments.keyId === '') {
    throw new LaunchError('The line above says why this key cannot be used in this environment.')
  }
  try {
    await ctx.payments.paymentsBetween(ctx.now - minutes(1), ctx.now)
  } catch (error) {
    const why =
      error instanceof GatewayUnauthorized ? 'does not accept the key' : 'cannot be asked about it'
    throw new LaunchError(`Razorpay ${why}. Nothing is changed.`, { cause: error })
  }
}
