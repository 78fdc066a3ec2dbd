import { expect, test } from 'vitest'
import { withPreloads } from './preload-modules.ts'

test('the head names the modules of scripts and islands with all that they import, and nothing that loads on demand', () => {
  const scripts = new Map([
    ['/_astro/page.js', 'import"./shell.js";import("./banner.js")'],
    ['/_astro/Island.js', 'import{a}from"./react.js";import{b}from"./shell.js";'],
    ['/_astro/react.js', 'export*from"./runtime.js"'],
  ])
  const page =
    '<title>A</title><script type="module" src="/_astro/page.js"></script><astro-island component-url="/_astro/Island.js" renderer-url="/_astro/react.js">'
  const links = withPreloads(page, scripts).matchAll(
    /<link rel="modulepreload" fetchpriority="low" href="([^"]+)">/g,
  )
  expect(Array.from(links, ([, path]) => path)).toEqual([
    '/_astro/page.js',
    '/_astro/Island.js',
    '/_astro/react.js',
    '/_astro/shell.js',
    '/_astro/runtime.js',
  ])
})
