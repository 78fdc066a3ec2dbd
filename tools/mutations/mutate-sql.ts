import type { Change } from './mutant.ts'

interface Token {
  text: string
  start: number
  end: number
  /** How many parentheses are open around it; a parenthesis counts as outside of itself. */
  depth: number
}

/** Stands for a placeholder, as long as it, so that offsets stay those of the source. */
export const PLACEHOLDER = '\u0001'

const TOKEN = /'[^']*'|\u0001+|[A-Za-z_"`][\w"`.]*|\d+|<>|<=|>=|\|\||->>|--[^\n]*|[()=<>+\-*/%,;]/g

function tokenize(sql: string): Token[] {
  let depth = 0
  const tokens: Token[] = []
  for (const match of sql.matchAll(TOKEN)) {
    const [text] = match
    if (text.startsWith('--')) continue
    if (text === ')') depth -= 1
    tokens.push({ text, start: match.index, end: match.index + text.length, depth })
    if (text === '(') depth += 1
  }
  return tokens
}

const BOUNDARY: Record<string, readonly string[]> = {
  '<': ['<='],
  '<=': ['<'],
  '>': ['>='],
  '>=': ['>'],
}
const FUNCTIONS: Record<string, string> = { min: 'max', max: 'min' }
const BEGINS = new Set(['WHERE', 'AND', 'OR', 'WHEN', 'ON'])
const ENDS = new Set([
  ...[
    'AND',
    'OR',
    'WHERE',
    'THEN',
    'ELSE',
    'END',
    'ORDER',
    'LIMIT',
    'GROUP',
    'RETURNING',
    'JOIN',
    'LEFT',
    'UNION',
  ],
  ...['ON', 'BEGIN', 'SELECT', 'UPDATE', 'INSERT', 'DO', ';', ','],
])

const isOperand = (token: Token | undefined) =>
  token !== undefined && (token.text === ')' || /^[\w\u0001`"']/.test(token.text))

/** The condition that begins at a token, up to the keyword or parenthesis that ends it. */
function conditionFrom(tokens: readonly Token[], first: number) {
  const depth = tokens[first]?.depth ?? 0
  let betweens = 0
  let last = first
  for (let index = first; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (token === undefined || token.depth < depth) break
    if (token.depth > depth) {
      last = index
      continue
    }
    if (token.text === ')' && index > first && last < first) break
    if (token.text === 'BETWEEN') betweens += 1
    else if (token.text === 'AND' && betweens > 0) betweens -= 1
    else if (ENDS.has(token.text) && index > first) break
    last = index
  }
  return { last, next: tokens[last + 1] }
}

/** Every part of every condition, made true (between ANDs) or false (between ORs); a lone one both. */
function* conditions(tokens: readonly Token[]): Generator<Change> {
  for (const [index, token] of tokens.entries()) {
    const opens = token.text === '(' && opensCondition(tokens, index)
    if (!opens && !(BEGINS.has(token.text) && beginsCondition(tokens, index))) continue
    const first = tokens[index + 1]
    // What is true stays true.
    if (first === undefined || first.text === 'true') continue
    const { last, next } = conditionFrom(tokens, index + 1)
    const end = tokens[last]?.end ?? first.end
    const isInOr = token.text === 'OR' || (next?.text === 'OR' && next.depth === first.depth)
    const isInAnd = token.text === 'AND' || (next?.text === 'AND' && next.depth === first.depth)
    // Without its one condition, a WHERE or JOIN finds too much; finding nothing at all is noticed anyway.
    if (!isInOr) yield { start: first.start, end, to: '1' }
    if (isInOr || (!isInAnd && token.text === 'WHEN')) yield { start: first.start, end, to: '0' }
  }
}

/** Not the AND of a BETWEEN, not the ON of a conflict or of a trigger's table. */
function beginsCondition(tokens: readonly Token[], index: number): boolean {
  const { text, depth } = tokens[index] ?? { text: '', depth: 0 }
  const next = tokens[index + 1]?.text ?? ''
  if (text === 'ON')
    return tokens.slice(Math.max(0, index - 3), index).some((one) => one.text === 'JOIN')
  if (text === 'WHEN' && next === '') return false
  if (text !== 'AND') return next !== ''
  const before = tokens
    .slice(0, index)
    .findLast(
      (one) =>
        one.depth === depth &&
        (one.text === 'BETWEEN' || ENDS.has(one.text) || BEGINS.has(one.text)),
    )
  return before?.text !== 'BETWEEN'
}

/** Whether a parenthesis holds conditions joined by AND or OR and no statement of its own. */
function opensCondition(tokens: readonly Token[], index: number): boolean {
  const inside = (tokens[index]?.depth ?? 0) + 1
  for (let at = index + 1; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined || token.depth < inside) return false
    if (token.depth !== inside) continue
    if (ENDS.has(token.text) || BEGINS.has(token.text))
      return token.text === 'AND' || token.text === 'OR'
  }
  return false
}

function* operators(tokens: readonly Token[]): Generator<Change> {
  for (const [index, { text, start, end }] of tokens.entries()) {
    const [before, after] = [tokens[index - 1], tokens[index + 1]]
    for (const to of BOUNDARY[text] ?? []) yield { start, end, to }
    if (/^\d+$/.test(text) && before?.text !== 'SELECT')
      yield { start, end, to: String(Number(text) + 1) }
    if (text === '+' || text === '-') {
      const isBinary =
        isOperand(before) && !ENDS.has(before?.text ?? '') && !BEGINS.has(before?.text ?? '')
      yield { start, end, to: isBinary ? (text === '+' ? '-' : '+') : ' ' }
    }
    const swapped = after?.text === '(' ? FUNCTIONS[text] : undefined
    if (swapped !== undefined) yield { start, end, to: swapped }
    if (text === 'DESC') yield { start, end, to: 'ASC' }
  }
}

/** Each text of a list such as `IN ('open', 'paid')`, left out. */
function* listed(tokens: readonly Token[]): Generator<Change> {
  for (const [index, token] of tokens.entries()) {
    if (token.text !== 'IN' || tokens[index + 1]?.text !== '(') continue
    for (let at = index + 2; tokens[at]?.text.startsWith("'"); at += 2) {
      const [text, comma] = [tokens[at], tokens[at + 1]]
      if (text === undefined || comma === undefined) break
      const isLast = comma.text !== ','
      const start = isLast ? (tokens[at - 1]?.start ?? text.start) : text.start
      const isAlone = isLast && at === index + 2
      if (!isAlone) yield { start, end: isLast ? text.end : comma.end, to: '' }
      if (isLast) break
    }
  }
}

/** Each refusal of a trigger, left out: of a trigger without a condition nothing else could be. */
function* refusals(tokens: readonly Token[]): Generator<Change> {
  for (const [index, { text, start }] of tokens.entries()) {
    const end = tokens[index + 5]?.end
    if (text === 'RAISE' && end !== undefined) yield { start, end, to: '1' }
  }
}

/** The changes of a piece of SQL, at offsets of its text. Placeholders are filled with PLACEHOLDER. */
export function changesOfSql(sql: string): Change[] {
  const tokens = tokenize(sql)
  return [...conditions(tokens), ...operators(tokens), ...listed(tokens), ...refusals(tokens)]
}
