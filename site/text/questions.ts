import { getCollection } from 'astro:content'
import { fill } from './fill.ts'

export interface Question {
  readonly question: string
  readonly answer: string
  readonly more: { readonly href: string; readonly text: string } | undefined
}

/** The questions of a page, in order, with the catalogue's prices in their answers. */
export async function questionsFor(page: 'home' | 'plans'): Promise<readonly Question[]> {
  const entries = await getCollection('faq', ({ data }) => data.pages.includes(page))
  return entries
    .toSorted((a, b) => a.data.order - b.data.order)
    .map(({ data }) => ({ question: data.question, answer: fill(data.answer), more: data.more }))
}
