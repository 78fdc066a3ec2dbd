import { expect, test } from 'vitest'
import { lowerPriority } from './low-priority.ts'

const CODE: Record<string, string> = {
  '/_astro/bar.js': 'import{a}from"./shared.js";import("./later.js")',
  '/_astro/Plans.js': 'import{b}from"./shared.js"',
  '/_astro/react.js': 'import"./runtime.js"',
}

test('scripts get a low priority, and the head names once what they and the islands of the first screen import at once', async () => {
  const html = await lowerPriority(
    `<head></head><script type="module" src="/_astro/bar.js"></script>
    <astro-island component-url="/_astro/Plans.js" renderer-url="/_astro/react.js" client="load"></astro-island>
    <astro-island component-url="/_astro/Films.js" renderer-url="/_astro/react.js" client="idle"></astro-island>`,
    (path) => Promise.resolve(CODE[path] ?? ''),
  )
  expect(html).toContain('<script type="module" fetchpriority="low" src="/_astro/bar.js">')
  const named = [...html.matchAll(/rel="modulepreload" fetchpriority="low" href="([^"]+)"/g)]
  expect(named.map(([, path]) => path)).toEqual([
    '/_astro/bar.js',
    '/_astro/Plans.js',
    '/_astro/react.js',
    '/_astro/shared.js',
    '/_astro/runtime.js',
  ])
  expect(html.indexOf('modulepreload')).toBeLessThan(html.indexOf('</head>'))
})
