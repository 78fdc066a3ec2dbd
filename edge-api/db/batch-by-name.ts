import type { BatchItem, BatchResponse } from 'drizzle-orm/batch'

type Statement = BatchItem<'sqlite'>
type SomeStatements = readonly [Statement, ...Statement[]]

/** Statements by name, in the order they run. A list of them has one name; null is left out. */
export type Statements = Readonly<Record<string, Statement | readonly Statement[] | null>>

type ResultOf<Part> = Part extends Statement
  ? Part['_']['result']
  : Part extends readonly Statement[]
    ? BatchResponse<Part>
    : null

type Results<Named extends Statements> = { [Name in keyof Named]: ResultOf<Named[Name]> }

/** Sends an object of statements in one batch and answers an object of their results. */
export function batchByName(send: (statements: SomeStatements) => Promise<readonly unknown[]>) {
  function batch<List extends SomeStatements>(statements: List): Promise<BatchResponse<List>>
  function batch<Named extends Statements>(statements: Named): Promise<Results<Named>>
  async function batch(statements: Statements | SomeStatements) {
    if (isList(statements)) return send(statements)
    const [first, ...others] = Object.values(statements).flatMap((part) => part ?? [])
    const results = first === undefined ? [] : [...(await send([first, ...others]))]
    const resultsOf = (part: Statements[string]) => {
      if (part === null) return null
      return isList(part) ? results.splice(0, part.length) : results.shift()
    }
    return Object.fromEntries(
      Object.entries(statements).map(([name, part]) => [name, resultsOf(part)]),
    )
  }
  return batch
}

function isList<List extends readonly Statement[]>(
  part: Statement | Statements | List,
): part is List {
  return Array.isArray(part)
}
