import { expect, test } from 'vitest'
import { withStylesInHead } from './hoist-styles.ts'

test('a style in the body moves to the end of the head', () => {
  expect(
    withStylesInHead('<head><style>a{}</style></head><body><div><style>b{}</style></div></body>'),
  ).toBe('<head><style>a{}</style><style>b{}</style></head><body><div></div></body>')
})
