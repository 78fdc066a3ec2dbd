import { expect, test } from 'vitest'
import { withLateScript } from './late-script.ts'

const tag = '<script type="module" src="/_astro/a.js"></script>'

test('the scripts load after the page has loaded and painted', () => {
  const islands =
    '<script>seen()</script><script>define()</script><astro-island ssr></astro-island>'
  const { html, islands: file } = withLateScript(
    `<script>theme()</script><body>${islands}${tag}</body>`,
  )
  expect(html).toMatch(
    /^<script>theme\(\)<\/script><body><astro-island ssr><\/astro-island><script>/,
  )
  expect(html).not.toContain('type="module"')
  expect(html).toContain(`setTimeout(()=>{import('${file.path}');import('/_astro/a.js')},300)`)
  expect(file.code).toBe(';seen();;define();')
})

test('a page without a module script, or with two, stops the build', () => {
  expect(() => withLateScript('<body></body>')).toThrow('0 module scripts')
  expect(() => withLateScript(tag + tag)).toThrow('2 module scripts')
})
