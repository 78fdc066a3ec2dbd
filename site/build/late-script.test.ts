import { expect, test } from 'vitest'
import { withLateScript } from './late-script.ts'

const tag = '<script type="module" src="/_astro/a.js"></script>'

test('the module script loads after the page has loaded and painted', () => {
  const html = withLateScript(`<body>${tag}</body>`)
  expect(html).not.toContain('type="module"')
  expect(html).toContain(`setTimeout(()=>import('/_astro/a.js'),300)`)
})

test('a page without a module script, or with two, stops the build', () => {
  expect(() => withLateScript('<body></body>')).toThrow('0 module scripts')
  expect(() => withLateScript(tag + tag)).toThrow('2 module scripts')
})
