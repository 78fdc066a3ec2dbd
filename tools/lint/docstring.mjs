/** Requires a docstring on exported functions: units, errors and the source of a rule are not in a name or a type. */
export const docstring = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      missing:
        '{{name}} is exported: say in a docstring what its types do not (units, errors, the rule it keeps).',
    },
  },
  create(context) {
    const isDocumented = (node) => {
      const above = context.sourceCode.getCommentsBefore(node).at(-1)
      return above?.type === 'Block' && above.value.startsWith('*')
    }
    return {
      ExportNamedDeclaration(node) {
        const name = functionIn(node.declaration)
        if (name === null || isDocumented(node) || isOverloaded(node, name)) return
        context.report({ node, messageId: 'missing', data: { name } })
      },
    }
  },
}

const functions = ['ArrowFunctionExpression', 'FunctionExpression']
const declarations = ['FunctionDeclaration', 'TSDeclareFunction']

/** The name of the function that this node declares; null when it declares none. */
function functionIn(declaration) {
  if (declarations.includes(declaration?.type)) return declaration.id.name
  if (declaration?.type !== 'VariableDeclaration') return null
  const declared = declaration.declarations.find(({ init }) => functions.includes(init?.type))
  return declared?.id.name ?? null
}

/** Of several signatures, only the first needs a docstring. */
function isOverloaded(node, name) {
  const before = node.parent.body[node.parent.body.indexOf(node) - 1]
  return before?.type === 'ExportNamedDeclaration' && before.declaration?.id?.name === name
}
