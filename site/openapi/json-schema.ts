import { Preferences, SubscriptionStatus, Tokens, User } from '../../src/contract/account.ts'
import { Currency } from '../../src/contract/currency.ts'
import { Plan } from '../../src/contract/plans.ts'
import { Failure, FieldError } from '../../src/contract/endpoint.ts'
import { AccountEvent } from '../../src/contract/notice.ts'
import { PurchaseView, PurchaseStatus, Settlement } from '../../src/contract/purchase.ts'
import { Purchase, Receipt } from '../../src/contract/receipt.ts'
import { Session } from '../../src/contract/session.ts'
import { TokenUseResult, UsageSession } from '../../src/contract/report-usage.ts'
import { LedgerEntry, UsageDay, UsageMode } from '../../src/contract/usage.ts'
import { z } from '../../src/contract/zod.ts'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/** Shapes that appear in several answers, so that a generated client gives each of them one name. */
const NAMED = {
  AccountEvent,
  Currency,
  Failure,
  FieldError,
  LedgerEntry,
  PurchaseView,
  Plan,
  Preferences,
  Purchase,
  PurchaseStatus,
  Receipt,
  Session,
  Settlement,
  SubscriptionStatus,
  TokenUseResult,
  Tokens,
  UsageDay,
  UsageMode,
  UsageSession,
  User,
}

const registry = z.registry<{ id?: string }>()
for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id })

/** What a caller sends. Written out in full, since defaults make input and output differ. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  return convert(schema, { io: 'input' })
}

/** What the API answers. Named shapes are references to `#/components/schemas`. */
export function outputSchema(schema: z.ZodType): JsonSchema {
  const converted = convert(schema, { io: 'output', metadata: registry })
  delete converted.$defs
  return toComponents(converted)
}

/** The named shapes by name, for `components.schemas`. */
export function componentSchemas(): Record<string, JsonSchema> {
  const all = z.object(NAMED)
  const { $defs = {} } = convert(all, { io: 'output', metadata: registry })
  return Object.fromEntries(
    Object.entries($defs).map(([name, schema]) => [name, toComponents(schema)]),
  )
}

type Options = Pick<z.core.ToJSONSchemaParams, 'io' | 'metadata'>

function convert(schema: z.ZodType, options: Options): JsonSchema {
  const converted = z.toJSONSchema(schema, {
    ...options,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      tidy(jsonSchema)
    },
  })
  delete converted.$schema
  return converted
}

/** Removes keywords without effect, and `additionalProperties`, so that clients accept fields of later versions. */
function tidy(schema: JsonSchema): void {
  delete schema.id
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.format !== undefined) delete schema.pattern
  if (schema.additionalProperties === false) delete schema.additionalProperties
}

function toComponents(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema)
  const parsed: JsonSchema = JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'))
  return parsed
}
