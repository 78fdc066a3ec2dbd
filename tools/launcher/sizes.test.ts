import { expect, test } from 'vitest'
import { pageScripts } from './sizes.ts'

const scripts: Record<string, string> = {
  '/_astro/tag.js': 'import{a}from"./shared.js";',
  '/_astro/shared.js': '',
  '/_astro/landing.js': 'import"./shared.js";let f=()=>import(`./films.js`);',
  '/_astro/films.js': "import{b}from'./reel.js'",
  '/_astro/reel.js': 'import("./landing.js")',
  '/_astro/Form.js': 'import{r}from"./react.js"',
  '/_astro/react.js': '',
  '/_astro/inline.js': '',
}

const read = (address: string) => scripts[address] ?? null

test('what tags, inline modules and islands load comes at once, with all that it imports', () => {
  const html = `<link rel="modulepreload" href="/_astro/shared.js"><script type="module" src="/_astro/tag.js"></script>
    <script type="module">import"/_astro/inline.js"</script>
    <astro-island component-url="/_astro/Form.js" renderer-url="/_astro/gone.js" client="load">`
  expect(pageScripts(html, read)).toEqual({
    atOnce: ['shared', 'tag', 'inline', 'Form', 'react'].map((name) => `/_astro/${name}.js`),
    later: [],
  })
})

test('what a page or its scripts import when they run comes later, and islands that wait do', () => {
  const html = `<script type="module" src="/_astro/tag.js"></script>
    <script>addEventListener('load',()=>import(\`/_astro/landing.js\`))</script>
    <astro-island component-url="/_astro/Form.js" client="used">`
  expect(pageScripts(html, read)).toEqual({
    atOnce: ['/_astro/tag.js', '/_astro/shared.js'],
    later: ['Form', 'react', 'landing', 'films', 'reel'].map((name) => `/_astro/${name}.js`),
  })
})
