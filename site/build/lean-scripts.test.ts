import { expect, test } from 'vitest'
import { withLeanScripts } from './lean-scripts.ts'

test('inline scripts lose comments and long names; data and files stay as they are', () => {
  const data = '<script type="application/ld+json">{ "a": 1 }</script>'
  const file = '<script type="module" src="/_astro/a.js"></script>'
  const lean = withLeanScripts(
    `<script data-guard="public">(function (long) {\n /** why */ return f(long) })(1)</script>${data}${file}`,
  )
  expect(lean).toMatch(/^<script data-guard="public">[^\n]+<\/script>/)
  expect(lean).not.toMatch(/why|long/)
  expect(lean).toContain(data)
  expect(lean).toContain(file)
})

test('names that other scripts of the page use stay', () => {
  expect(withLeanScripts('<script>var shared = 1; pressed = []</script>')).toMatch(
    /shared=1[\s\S]*pressed=\[\]/,
  )
})

test('a script that cannot be read stops the build', () => {
  expect(() => withLeanScripts('<script>if (</script>')).toThrow('cannot be read')
})
