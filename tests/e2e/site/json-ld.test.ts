import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { majorAmount, PLANS } from '../../../src/contract/catalogue.ts'
import { CURRENCIES } from '../../../src/contract/currency.ts'
import { newVisitor } from '../../harness/visitor.ts'
import { PUBLIC_PATHS } from './pages.ts'

const Offer = z.object({
  '@type': z.literal('Offer'),
  name: z.string(),
  price: z.number(),
  priceCurrency: z.enum(CURRENCIES),
})
const OFFERS = PLANS.flatMap(({ name, priceMinor }) =>
  CURRENCIES.map((priceCurrency) => {
    return { '@type': 'Offer', name, price: majorAmount(priceMinor[priceCurrency]), priceCurrency }
  }),
)
const Organization = z.object({
  '@type': z.literal('Organization'),
  name: z.string(),
  url: z.url(),
  logo: z.url(),
})

/** What schema.org and the search engines require of each type. */
const Thing = z.discriminatedUnion('@type', [
  Organization,
  z.object({
    '@type': z.literal('SoftwareApplication'),
    name: z.string(),
    operatingSystem: z.string(),
    applicationCategory: z.string(),
    offers: z.array(Offer),
  }),
  z.object({
    '@type': z.literal('FAQPage'),
    mainEntity: z
      .array(
        z.object({
          '@type': z.literal('Question'),
          name: z.string(),
          acceptedAnswer: z.object({ '@type': z.literal('Answer'), text: z.string() }),
        }),
      )
      .min(3),
  }),
  z.object({
    '@type': z.literal('JobPosting'),
    title: z.string(),
    description: z.string().startsWith('<p>'),
    datePosted: z.iso.date(),
    hiringOrganization: Organization,
    jobLocation: z.object({ address: z.object({ addressCountry: z.string().length(2) }) }),
    employmentType: z.literal('FULL_TIME'),
    // Both positions may be hybrid.
    jobLocationType: z.undefined().optional(),
    url: z.url().regex(/\/careers#[\w-]+$/),
  }),
])

test('every JSON-LD block holds what its type requires, and offers the plans at their prices', async () => {
  const visitor = newVisitor(inject('siteUrl'))
  const types: Record<string, string[]> = {}
  for (const path of PUBLIC_PATHS) {
    const html = String((await visitor.call(path)).body)
    const blocks = html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)
    types[path] = [...blocks].map(([, text = '']) => {
      const data: unknown = JSON.parse(text)
      expect(data, path).toMatchObject({ '@context': 'https://schema.org' })
      const thing = Thing.parse(data)
      if (thing['@type'] === 'SoftwareApplication') expect(thing.offers).toEqual(OFFERS)
      return thing['@type']
    })
  }
  expect(types).toMatchObject({
    '/': ['Organization', 'SoftwareApplication'],
    '/subscription': ['SoftwareApplication', 'FAQPage'],
    '/careers': ['JobPosting', 'JobPosting'],
  })
})
