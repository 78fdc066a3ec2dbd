import { readFile } from 'node:fs/promises'

const JSON_SCHEMA = /\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/
const LOCALE = /\/zod\/v4\/locales\/en\.js$/
const EXPORTED = /^export (?:async )?(?:const|function) (\w+)|^export \{ \w+ as (\w+) \}/gm

const SENTENCE = `export default () => ({ localeError: () => 'Please check this value' })\n`

/**
 * zod's classic schemas carry the writer of JSON Schema with them, which no page calls: /api/openapi.json is
 * written by the Worker. In the browser's bundles its functions do nothing; that saves some 6 KB compressed on
 * every page that speaks to the API. Its English sentences are for developers; where the contract has no sentence of
 * its own, one for people stands in (docs/decisions/0032-zod-in-the-browser.md).
 */
export const zodForBrowsers = {
  name: 'zod-for-browsers',
  enforce: 'pre',
  /** @param {{ name: string }} environment */
  applyToEnvironment: (environment) => environment.name === 'client',
  load: {
    filter: { id: [JSON_SCHEMA, LOCALE] },
    /** @param {string} id */
    async handler(id) {
      if (LOCALE.test(id)) return SENTENCE
      const source = await readFile(id.split('?')[0] ?? id, 'utf8')
      const names = [...source.matchAll(EXPORTED)].map(([, own, alias]) => own ?? alias)
      return `const none = () => none\nexport { ${names.map((name) => `none as ${name}`).join(', ')} }\n`
    },
  },
}
