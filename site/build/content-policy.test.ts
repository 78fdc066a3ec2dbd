import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withPolicy } from './content-policy.ts'

const headers = readFileSync(new URL('../../public/_headers', import.meta.url), 'utf8')

test('the policy names inline scripts by hash, and only the paying pages of a local build allow the emulator', () => {
  const local = withPolicy(headers, ["'sha256-a'"], 'http://localhost:*')
  expect(local).toContain("script-src 'self' 'sha256-a';")
  expect(local.match(/frame-src [^;]*http:\/\/localhost:\*/g)).toHaveLength(2)
  const deployed = withPolicy(headers, ["'sha256-a'"], '')
  expect(deployed).not.toMatch(/localhost|[{}]/)
  expect(deployed.match(/frame-src https:\/\/api\.razorpay\.com/g)).toHaveLength(2)
})
