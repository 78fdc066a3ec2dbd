import { readdir, readFile, writeFile } from 'node:fs/promises'

/** Changes every built page in this folder. The name is its path in there, e.g. `subscription/success.html`. */
export async function rewritePages(
  dir: URL,
  change: (html: string, name: string) => string | Promise<string>,
): Promise<void> {
  const names = await readdir(dir, { recursive: true })
  const pages = names.filter((name) => name.endsWith('.html'))
  await Promise.all(
    pages.map(async (name) => {
      const file = new URL(name, dir)
      await writeFile(file, await change(await readFile(file, 'utf8'), name))
    }),
  )
}
