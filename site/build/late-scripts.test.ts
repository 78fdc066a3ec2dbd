import { expect, test } from 'vitest'
import { withLateScripts } from './late-scripts.ts'

const CODE: Record<string, string> = {
  '/_astro/bar.js': 'import{a}from"./shared.js";import("./later.js")',
  '/_astro/Plans.js': 'import{b}from"./shared.js"',
  '/_astro/react.js': 'import"./runtime.js"',
}

const BAR = '<script type="module" src="/_astro/bar.js"></script>'
const island = (name: string, client: string) =>
  `<astro-island component-url="/_astro/${name}.js" renderer-url="/_astro/react.js" client="${client}"></astro-island>`

const pageOf = (...parts: string[]) =>
  withLateScripts(`<head></head><body>${parts.join('')}</body>`, (path) =>
    Promise.resolve(CODE[path] ?? ''),
  )

test('without an island on the first screen, the scripts of components are started by the last one of the page', async () => {
  const html = await pageOf(BAR, '<p>Text</p>', island('Films', 'idle'))
  expect(html).not.toContain(BAR)
  expect(html).toMatch(/<script data-src="\/_astro\/bar.js">.+<\/script><\/body>$/)
  expect(html).not.toContain('modulepreload')
  expect(await pageOf('<p>Text</p>')).not.toContain('<script')
})

test('where an island is part of it, scripts get a low priority, and the head names once what it and they import at once', async () => {
  const html = await pageOf(BAR, island('Plans', 'load'), island('Films', 'idle'))
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
