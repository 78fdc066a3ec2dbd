import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { root } from '../../tools/launcher/settings.ts'
import { packageBinary } from '../../tools/launcher/run-tool.ts'
import { scratchFolder } from '../harness/scratch-folder.ts'
import { mailedSecret } from '../harness/stored.ts'
import { newVisitor } from '../harness/visitor.ts'
import { controlOf } from '../harness/world/razorpay.ts'
import { generateClient } from './client/generate.ts'

/** Writes the client and the journey that uses it into a scratch folder. */
function writeClient(document: unknown): { folder: string; remove: () => void } {
  const { path, remove } = scratchFolder('client')
  writeFileSync(join(path, 'client.ts'), generateClient(document))
  copyFileSync(join(root, 'tests/api/client/journey.ts.txt'), join(path, 'journey.ts'))
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom'],
    types: [],
    allowImportingTsExtensions: true,
    noEmit: true,
  }
  const config = { compilerOptions, files: ['journey.ts'] }
  writeFileSync(join(path, 'tsconfig.json'), JSON.stringify(config))
  writeFileSync(join(path, 'package.json'), '{"type":"module"}')
  mkdirSync(join(path, 'node_modules'), { recursive: true })
  return { folder: path, remove }
}

const Outcome = z.object({
  isEmailVerified: z.boolean(),
  settlement: z.string(),
  tokens: z.object({ used: z.number(), total: z.number() }),
  exported: z.record(z.string(), z.unknown()),
  refusal: z.string().nullable(),
})

const Module = z.object({ travel: z.custom<(journey: object) => Promise<unknown>>() })

test('a client generated from the OpenAPI document type-checks, registers, verifies, buys, uses tokens and exports', async () => {
  const visitor = newVisitor(inject('siteUrl'))
  const { body } = await visitor.call('/api/openapi.json')
  const { folder, remove } = writeClient(body)
  const compiler = packageBinary('typescript', 'tsc')
  const checked = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
  expect(checked.stdout).toBe('')
  expect(checked.status).toBe(0)
  const address = pathToFileURL(join(folder, 'journey.ts')).href
  const { travel } = Module.parse(await import(/* @vite-ignore */ address))
  const outcome = await travel({
    origin: inject('siteUrl'),
    headers: { 'cf-connecting-ip': visitor.address },
    name: `g_${randomUUID().slice(0, 20).replaceAll('-', '')}`,
    secretMailedTo: (email: string) => mailedSecret(email, 'verify-email'),
    pay: (orderId: string) => controlOf(inject('emulatorUrl')).pay(orderId),
  })
  const { exported, ...rest } = Outcome.parse(outcome)
  expect(rest).toEqual({
    isEmailVerified: true,
    settlement: 'paid',
    tokens: { used: 30_000, total: 1_020_000 },
    refusal: 'INSUFFICIENT_TOKENS',
  })
  expect(exported).toMatchObject({ purchases: [{ sku: 'pro' }] })
  remove()
}, 60_000)
