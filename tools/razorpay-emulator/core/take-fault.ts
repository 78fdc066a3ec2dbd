import type { z } from 'zod'
import type { FaultRule } from './fault-rule.ts'
import { FaultInput } from './fault-rule.ts'
import type { World } from './world.ts'
import { newId, nowSeconds } from './world.ts'

/** The subject of a rule: a request to the emulator, or an event for the merchant. */
type Occasion =
  | { method: string; path: string; event?: never; order_id?: never }
  | { event: string; order_id: string | null; method?: never; path?: never }

/** Adds a rule after the others, or replaces the one with the same id. */
export function addFault(world: World, request: FaultInput): FaultRule {
  const { seconds, ...input } = FaultInput.parse(request)
  const rule: FaultRule = {
    ...input,
    id: input.id ?? newId(world, 'fault_'),
    until: seconds === undefined ? null : nowSeconds(world) + seconds,
    fired: 0,
  }
  world.state.faults = [...world.state.faults.filter((other) => other.id !== rule.id), rule]
  return rule
}

/** `*` in a pattern stands for one part of a path and, at the end, also for everything that follows. */
function matchesPath(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  const isLongEnough = pattern.endsWith('*')
    ? given.length >= wanted.length
    : given.length === wanted.length
  return isLongEnough && wanted.every((part, index) => part === '*' || part === given[index])
}

function matches({ match }: FaultRule, occasion: Occasion): boolean {
  if (occasion.path === undefined) {
    return (
      (match.event ?? occasion.event) === occasion.event &&
      (match.order_id ?? occasion.order_id) === occasion.order_id
    )
  }
  const method = match.method?.toUpperCase() ?? occasion.method
  return method === occasion.method && matchesPath(match.path ?? '/v1/*', occasion.path)
}

function isSpent(world: World, rule: FaultRule): boolean {
  if (rule.until !== null && nowSeconds(world) >= rule.until) return true
  return rule.times !== null && rule.fired >= rule.times
}

/** The action of the first rule of a kind (`schema`) that matches, counted as fired. */
export function takeFault<Schema extends z.ZodType>(
  world: World,
  schema: Schema,
  occasion: Occasion,
): z.output<Schema> | null {
  for (const rule of world.state.faults) {
    const action = schema.safeParse(rule.action)
    if (!action.success || isSpent(world, rule) || !matches(rule, occasion)) continue
    rule.fired += 1
    return action.data
  }
  return null
}
