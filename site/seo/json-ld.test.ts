import { expect, test } from 'vitest'
import { faqPage, jobPosting, jsonLdText } from './json-ld.ts'

/** @see https://developers.google.com/search/docs/appearance/structured-data/job-posting */
const JOB = {
  jobId: 'tester',
  title: 'Tester',
  location: 'Hybrid / Remote',
  type: 'Part-time',
  posted: '2026-11-02',
  description: 'You test.',
  responsibilities: ['Break it.'],
  requirements: ['Care.'],
  preferred: ['Wit.'],
}
const site = new URL('https://sotto.example')

test('a position says who hires, where, since when and for how many hours, and describes itself in the tags that Google reads', () => {
  const posting = jobPosting(JOB, site)
  expect(posting).toMatchObject({
    '@type': 'JobPosting',
    title: 'Tester',
    identifier: { '@type': 'PropertyValue', value: 'tester' },
    datePosted: '2026-11-02',
    employmentType: 'PART_TIME',
    hiringOrganization: {
      '@type': 'Organization',
      name: expect.stringMatching(/\w/),
      url: 'https://sotto.example/',
      logo: expect.stringMatching(/^https:/),
    },
    jobLocation: {
      '@type': 'Place',
      address: { '@type': 'PostalAddress', addressCountry: expect.stringMatching(/^[A-Z]{2}$/) },
    },
    url: 'https://sotto.example/careers#tester',
  })
  const description = String(posting['description'])
  for (const text of ['You test.', 'Break it.', 'Care.', 'Wit.'])
    expect(description).toContain(text)
  expect(description.replaceAll(/<\/?(p|ul|li)>/g, '')).not.toMatch(/[<>]/)
})

test('only a position that is remote alone is marked as one, with the countries of its applicants', () => {
  expect(jobPosting(JOB, site)).not.toHaveProperty('jobLocationType')
  const remote = jobPosting({ ...JOB, location: 'Remote' }, site)
  expect(remote).toMatchObject({ jobLocationType: 'TELECOMMUTE' })
  expect(remote['applicantLocationRequirements']).toContainEqual({
    '@type': 'Country',
    name: 'India',
  })
  expect(JSON.stringify(remote)).not.toContain('"Other"')
})

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
