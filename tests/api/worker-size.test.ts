import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { WORKER_START_BYTES } from '../../tools/bench/budgets.ts'
import { root } from '../../tools/launcher/settings.ts'
import { workerModules, workerStartBytes } from '../../tools/launcher/sizes.ts'

test('what an isolate reads before its first answer stays within its budget', () => {
  const advice = 'load what few calls want when they want it'
  expect(workerStartBytes(root), advice).toBeLessThanOrEqual(WORKER_START_BYTES)
})

test('the SDK, the libraries of the second step and the common passwords are loaded when wanted, the description never', () => {
  const { atStart, later } = workerModules(root)
  const texts = (files: string[]) => files.map((file) => readFileSync(file, 'utf8')).join('\n')
  expect(later.map((file) => basename(file)).length).toBeGreaterThan(3)
  for (const mark of ['pmWKig5fjKJHJABwpyQAQiziOa', 'otpauth://', 'AxiosError']) {
    expect(texts(later)).toContain(mark)
    expect(texts(atStart)).not.toContain(mark)
  }
  expect(texts([...atStart, ...later])).not.toContain('razorpaySignature')
})
