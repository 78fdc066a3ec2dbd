import { expect, test } from 'vitest'
import { withLateScript } from './late-script.ts'

const tag = (name: string) => `<script type="module" src="/_astro/${name}.js"></script>`

test('the scripts load after the page has loaded and painted', () => {
  const islands =
    '<script>seen()</script><script>define()</script><astro-island ssr></astro-island>'
  const { html, islands: file } = withLateScript(
    `<script>theme()</script>${tag('a')}<body>${islands}${tag('b')}</body>`,
    new Map(),
  )
  expect(html).toMatch(
    /^<script>theme\(\)<\/script><body><astro-island ssr><\/astro-island><script>.*<\/script><\/body>$/,
  )
  expect(html).not.toContain('src=')
  expect(html).toContain(`([\`${file.path}\`,\`/_astro/a.js\`,\`/_astro/b.js\`],300)`)
  expect(file.code).toBe(';seen();;define();')
})

test('a page without islands asks for its module scripts alone', () => {
  const { html, islands } = withLateScript(`<body>${tag('a')}</body>`, new Map())
  expect(html).toContain('([`/_astro/a.js`],300)')
  expect(islands.code).toBe('')
})

test('an island that starts for signed-in users gets all its modules at once then', () => {
  const island = '<astro-island component-url="/_astro/Plans.js" client="used"></astro-island>'
  const built = new Map([['/_astro/Plans.js', 'import"./app.js"']])
  const { html } = withLateScript(`<body>${tag('a')}${island}</body>`, built)
  expect(html).toContain('([`/_astro/a.js`,`/_astro/Plans.js`,`/_astro/app.js`])')
})
