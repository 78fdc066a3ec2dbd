import { expect, test } from 'vitest'
import { withLateScript } from './late-script.ts'

const tag = '<script type="module" src="/_astro/a.js"></script>'

test('the one module script is loaded after the page has loaded and been painted', () => {
  const html = withLateScript(`<body>${tag}</body>`)
  expect(html).not.toContain('type="module"')
  expect(html).toContain(`setTimeout(()=>import('/_astro/a.js'),300)`)
})

test('none, or a second one, stops the build', () => {
  expect(() => withLateScript('<body></body>')).toThrow('0 module scripts')
  expect(() => withLateScript(tag + tag)).toThrow('2 module scripts')
})
