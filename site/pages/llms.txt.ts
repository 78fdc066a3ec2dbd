import type { APIRoute } from 'astro'
import { brand } from '../brand.ts'
import { PUBLIC_PAGES } from '../seo/public-pages.ts'
import { questionsFor } from '../text/questions.ts'

/** A summary of the site in plain text, for programs (llmstxt.org). */
export const GET: APIRoute = async ({ site }) => {
  const questions = await questionsFor('plans')
  const text = [
    `# ${brand.productName}`,
    `> ${brand.description}`,
    '## Pages',
    PUBLIC_PAGES.map(({ path, says }) => `- [${path}](${new URL(path, site).href}): ${says}`).join(
      '\n',
    ),
    '## Questions and answers',
    ...questions.map(({ question, answer }) => `### ${question}\n\n${answer}`),
    '## Contact',
    `${brand.supportEmail}, ${brand.legalEntity}`,
  ]
  return new Response(`${text.join('\n\n')}\n`)
}
