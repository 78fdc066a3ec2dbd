import { expect, test } from 'vitest'
import { faqPage, jsonLdText } from './json-ld.ts'

test('each question has its one accepted answer, and no text ends the script element', () => {
  const page = faqPage([
    { question: 'Is it safe?', answer: 'Yes, </script> too.', more: undefined },
  ])
  expect(page).toEqual({
    '@type': 'FAQPage',
    mainEntity: [
      {
        '@type': 'Question',
        name: 'Is it safe?',
        acceptedAnswer: { '@type': 'Answer', text: 'Yes, </script> too.' },
      },
    ],
  })
  expect(jsonLdText(page)).not.toContain('<')
  expect(JSON.parse(jsonLdText(page))).toEqual({ '@context': 'https://schema.org', ...page })
})
