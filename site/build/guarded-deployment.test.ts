import { expect, test } from 'vitest'
import { deployedOrigin, unfilledNames } from './guarded-deployment.ts'

test('a production build lists every fact of the brand that is to be filled in, and a staging build those of its host and mail', () => {
  const websites = { production: 'https://sotto.test', staging: 'https://staging.sotto.test' }
  const seller = { street: ' ', phone: '' }
  expect(() => deployedOrigin('production', { websites, seller })).toThrow(
    /: seller\.street, seller\.phone\.$/,
  )
  expect(deployedOrigin('staging', { websites, seller })).toBe(websites.staging)
  const examples = { websites: { staging: 'https://staging.sotto.example' }, mailFrom: '', seller }
  expect(() => deployedOrigin('staging', examples)).toThrow(/: websites\.staging, mailFrom\.$/)
  expect(deployedOrigin('production', { websites })).toBe(websites.production)
  expect(() => deployedOrigin('moon')).toThrow('There is no environment "moon".')
})

test('blanks, examples, made-up links and telephone numbers of zeros are to be filled in, and what is true is not', () => {
  const seller = { street: ' ', phone: '+91 00000 00000', email: 'a@b.EXAMPLE', gstin: null }
  const links = {
    demoUrl: 'https://www.youtube.com/watch?v=example',
    codeHostUrl: 'https://a.test',
  }
  expect(unfilledNames({ city: 'Bengaluru', seller, isOpen: true, ...links })).toEqual([
    ...['seller.street', 'seller.phone', 'seller.email', 'demoUrl'],
  ])
  // A text that gives examples, and a pure black.
  const releases = { '1.0.0.json': { notes: ['Code examples', 'Shows an example.'] } }
  const colour = { ink: '#000000' }
  expect(unfilledNames({ releases, tagline: 'For example', colour })).toEqual([])
})
