import { expect, test } from 'vitest'
import { headerRule, policyFor, withRule } from './policy.ts'

const page = [
  '<style>a{}</style>',
  '<script>one()</script>',
  '<script type="module">two()</script>',
  '<script>one()</script>',
  '<script type="module" src="/_astro/x.js"></script>',
  '<script type="application/ld+json">{}</script>',
].join('')

function directive(policy: string, name: string) {
  return policy.split(';').find((part) => part.startsWith(`${name} `)) ?? ''
}

test('the policy lists the hash of each inline script once', () => {
  const scripts = directive(policyFor('index.html', page), 'script-src')
  expect(scripts.match(/sha256-/g)).toHaveLength(2)
  // printf 'one()' | openssl dgst -sha256 -binary | base64
  expect(scripts).toContain(`'sha256-${ONE}'`)
})

test('only the paying pages of a local build allow the payment emulator', () => {
  const local = 'http://localhost:*'
  expect(directive(policyFor('subscription.html', page, local), 'frame-src')).toContain(local)
  expect(policyFor('subscription.html', page)).not.toContain('localhost')
  expect(policyFor('index.html', page, local)).not.toContain('localhost')
})

/** What Razorpay's checkout loads, shows in frames, calls and posts to, as observed. */
const CHECKOUT = {
  'script-src': ['checkout', 'cdn'],
  'frame-src': ['api', 'checkout'],
  'connect-src': ['api', 'checkout', 'lumberjack', 'lumberjack-cx', 'lumberjack-metrics'],
  'img-src': ['cdn'],
  'form-action': ['api'],
}

test('paying pages, and no others, allow all that the checkout of the payment provider needs', () => {
  const paying = policyFor('subscription.html', page)
  for (const [name, hosts] of Object.entries(CHECKOUT)) {
    const allowed = directive(paying, name).split(' ')
    for (const host of hosts) expect(allowed, name).toContain(`https://${host}.razorpay.com`)
  }
  expect(policyFor('index.html', page)).not.toContain('razorpay')
  expect(policyFor('subscription/success.html', page)).not.toContain('razorpay')
})

test('a page has its policy at the path it is served at, instead of the one for all files', () => {
  const rule = (name: string) => headerRule(name, "default-src 'self'")
  expect(rule('subscription/success.html')).toBe(
    "\n/subscription/success\n  ! Content-Security-Policy\n  Content-Security-Policy: default-src 'self'\n",
  )
  expect(rule('index.html')).toMatch(/^\n\/\n/)
  expect(() => headerRule('login.html', 'x'.repeat(2_000))).toThrow(
    'The policy of login.html has 2000',
  )
})

test('a page that has a rule of its own keeps what it says, in one rule', () => {
  const headers = '/*\n  A: 1\n\n/desk\n  B: 2\n'
  const rule = headerRule('desk.html', 'none')
  expect(withRule(headers, rule)).toBe(
    '/*\n  A: 1\n\n/desk\n  ! Content-Security-Policy\n  Content-Security-Policy: none\n  B: 2\n',
  )
  expect(withRule(headers, headerRule('login.html', 'none'))).toContain('\n/login\n  ! Content-')
})

const ONE = 'HR7iaask9daLMRRskMI++QeJtjWDOjyPA6lGzYGzKW4='
