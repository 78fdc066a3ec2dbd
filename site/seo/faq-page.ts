import type { Question } from '../text/questions.ts'
import type { Thing } from './json-ld.ts'

/** The questions of a page as schema.org's FAQPage. */
export function faqPage(questions: readonly Question[]): Thing {
  return {
    '@type': 'FAQPage',
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  }
}
