import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { majorAmount, PLANS } from '../../../src/contract/catalogue.ts'
import { CURRENCIES } from '../../../src/contract/kinds.ts'
import { newVisitor } from '../../harness/visitor.ts'
import { PUBLIC_PATHS } from './pages.ts'

const OFFERS = PLANS.flatMap(({ name, priceMinor }) =>
  CURRENCIES.map((priceCurrency) => {
    return { '@type': 'Offer', name, price: majorAmount(priceMinor[priceCurrency]), priceCurrency }
  }),
)

/** The properties that search engines require of each type. */
const REQUIRED: Record<string, string> = {
  Organization: 'name url logo',
  SoftwareApplication: 'name operatingSystem applicationCategory offers',
  FAQPage: 'mainEntity',
}
const Thing = z.looseObject({ '@type': z.enum(Object.keys(REQUIRED)) })

test('every JSON-LD block holds what its type requires, and offers the plans at their prices', async () => {
  const visitor = newVisitor(inject('siteUrl'))
  const types: Record<string, string[]> = {}
  for (const path of PUBLIC_PATHS) {
    const html = String((await visitor.call(path)).body)
    const blocks = html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)
    types[path] = [...blocks].map(([, text = '']) => {
      const data: unknown = JSON.parse(text)
      expect(data, path).toMatchObject({ '@context': 'https://schema.org' })
      const { '@type': type, ...thing } = Thing.parse(data)
      for (const name of REQUIRED[type]?.split(' ') ?? []) expect(thing[name], name).toBeTruthy()
      if (type === 'SoftwareApplication') expect(thing.offers).toEqual(OFFERS)
      return type
    })
  }
  expect(types).toMatchObject({
    '/': ['Organization', 'SoftwareApplication'],
    '/subscription': ['SoftwareApplication', 'FAQPage'],
  })
})
