import { expect, test } from 'vitest'
import { withLeanStyle } from './lean-style.ts'

const page = (css: string, body: string) => `<head><style>${css}</style></head><body>${body}</body>`

test('styles in the body move to the end of the head, in one block', () => {
  expect(
    withLeanStyle(
      '<head><style>a{top:0}</style></head><body><div><style>b{top:1px}</style></div></body>',
      '',
    ),
  ).toBe('<head><style>a{top:0}b{top:1px}</style></head><body><div></div></body>')
})

test('a rule stays when the page or a script names its class, and goes when neither does', () => {
  const css = '.here{top:0}.there{top:1px}.nowhere{top:2px}'
  const lean = withLeanStyle(page(css, '<p class="here">'), 'x.className=`there`')
  expect(lean).toContain('.here')
  expect(lean).toContain('.there')
  expect(lean).not.toContain('nowhere')
})

test('a class whose name a script puts together stays', () => {
  const css = '.notice-error{top:0}.badge-red{top:1px}'
  const lean = withLeanStyle(page(css, ''), 'jsx("p",{className:`notice notice-${kind}`})')
  expect(lean).toContain('.notice-error')
  expect(lean).not.toContain('badge-red')
})

test('keyframes go with the last rule that runs them', () => {
  const css =
    '.turns{animation:turn 1s}.rises{animation:rise 1s}@keyframes turn{to{rotate:1turn}}@keyframes rise{to{top:0}}'
  const lean = withLeanStyle(page(css, '<p class="rises">'), '')
  expect(lean).toContain('@keyframes rise')
  expect(lean).not.toContain('@keyframes turn')
})

test('the order of layers is kept', () => {
  const css = '@layer base,part;@layer part{p{top:0}}@layer base{p{top:1px}}'
  expect(withLeanStyle(page(css, '<p>'), '')).toMatch(/@layer base\b.*@layer part\b/)
})
