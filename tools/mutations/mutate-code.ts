import ts from 'typescript'
import type { Change } from './mutant.ts'
import { changesOfSql, PLACEHOLDER } from './mutate-sql.ts'

const OPERATORS: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
  [ts.SyntaxKind.PlusToken]: '-',
  [ts.SyntaxKind.MinusToken]: '+',
  [ts.SyntaxKind.AsteriskToken]: '/',
  [ts.SyntaxKind.SlashToken]: '*',
}

/** Drizzle's conditions, and what one of their parts becomes when it no longer counts. */
const JUNCTIONS = new Set(['and', 'or'])
const SWAPPED: Record<string, string> = { min: 'max', max: 'min', some: 'every', every: 'some' }

/** The changes of a TypeScript file and of the SQL in its templates, at offsets of its text. */
export function changesOfCode(source: string): Change[] {
  const file = ts.createSourceFile('mutated.ts', source, ts.ScriptTarget.Latest, true)
  const changes: Change[] = []
  const whole = (node: ts.Node, to: string) => {
    changes.push({ start: node.getStart(file), end: node.end, to })
  }

  function visit(node: ts.Node): void {
    // Types do nothing, and imports and names are no conditions.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node))
      return
    if (ts.isBinaryExpression(node)) {
      const to = OPERATORS[node.operatorToken.kind]
      if (to !== undefined) whole(node.operatorToken, to)
    }
    if (ts.isIfStatement(node)) bothWays(node.expression)
    if (ts.isConditionalExpression(node)) bothWays(node.condition)
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      whole(node, node.operand.getText(file))
    }
    // Numbers that stand alone are settings: no test can state why they are not one more.
    if (ts.isNumericLiteral(node) && ts.isBinaryExpression(node.parent))
      whole(node, String(Number(node.text) + 1))
    if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) whole(node, ';')
    if (ts.isCallExpression(node)) visitCall(node)
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText(file) === 'sql')
      visitSql(node.template)
    ts.forEachChild(node, visit)
  }

  function bothWays(condition: ts.Expression): void {
    whole(condition, 'true')
    whole(condition, 'false')
  }

  function visitCall({ expression, arguments: given }: ts.CallExpression): void {
    if (ts.isIdentifier(expression) && JUNCTIONS.has(expression.text)) {
      for (const part of given) whole(part, 'undefined')
    }
    if (!ts.isPropertyAccessExpression(expression)) return
    const { name } = expression
    const swapped = SWAPPED[name.text]
    if (swapped !== undefined) whole(name, swapped)
    if (name.text === 'filter' && given[0]) whole(given[0], '() => true')
  }

  function visitSql(template: ts.TemplateLiteral): void {
    const start = template.getStart(file) + 1
    let text = source.slice(start, template.end - 1)
    for (const { expression } of ts.isTemplateExpression(template) ? template.templateSpans : []) {
      const from = source.lastIndexOf('${', expression.getStart(file)) - start
      const to = source.indexOf('}', expression.end) + 1 - start
      text = text.slice(0, from) + PLACEHOLDER.repeat(to - from) + text.slice(to)
    }
    for (const change of changesOfSql(text)) {
      changes.push({ ...change, start: change.start + start, end: change.end + start })
    }
  }

  visit(file)
  return changes
}
