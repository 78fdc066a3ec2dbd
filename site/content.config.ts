import { defineCollection } from 'astro:content'
import { file, glob } from 'astro/loaders'
import { z } from 'astro/zod'
import { JOB_TITLES, JobId } from '../src/contract/careers.ts'

/** Texts as data: a text that does not match its schema fails the build. site/text/fill.ts replaces `{name}`. */
const sentence = z.string().min(8).max(240)
const paragraphs = z.array(sentence).min(2)
/** A page that says more about it. */
const more = z.object({ href: z.string().startsWith('/'), text: z.string().max(40) }).optional()

const features = defineCollection({
  loader: file('site/content/features.json'),
  schema: z.object({
    order: z.int(),
    title: z.string().max(60),
    text: sentence,
    more,
  }),
})

const faq = defineCollection({
  loader: file('site/content/faq.json'),
  schema: z.object({
    order: z.int(),
    pages: z.array(z.enum(['home', 'plans'])).min(1),
    question: z.string().endsWith('?'),
    answer: z.string().min(20).max(600),
    more,
  }),
})

const jobs = defineCollection({
  loader: glob({ base: 'site/content/jobs', pattern: '*.json' }),
  schema: z
    .object({
      order: z.int(),
      jobId: JobId,
      department: z.string(),
      location: z.string(),
      type: z.enum(['Full-time', 'Part-time', 'Temporary']),
      experience: z.string(),
      posted: z.iso.date(),
      description: z.string().min(80),
      responsibilities: paragraphs,
      requirements: paragraphs,
      preferred: paragraphs,
      /** How pay is set, and the steps of hiring: shown once the owner has filled them in. */
      pay: z.string().default(''),
      steps: z.array(z.string()).default([]),
    })
    .transform((job) => ({ ...job, title: JOB_TITLES[job.jobId] })),
})

const legal = defineCollection({
  loader: glob({ base: 'site/content/legal', pattern: '*.md' }),
  schema: z.object({
    title: z.string(),
    description: z.string().min(50).max(160),
    lead: sentence,
    updated: z.iso.date(),
  }),
})

const changelog = defineCollection({
  loader: glob({ base: 'site/content/changelog', pattern: '*.md' }),
  schema: z.object({ title: z.string(), date: z.iso.date() }),
})

export const collections = { features, faq, jobs, legal, changelog }
