import type { World } from '../world.ts'
import { newId, nowSeconds } from '../world.ts'
import type { FaultInput as FaultRequest, FaultRule } from './rule.ts'
import { FaultInput } from './rule.ts'

/** What a rule may be matched against; absent members match only rules that do not ask for them. */
export interface Occasion {
  method?: string | undefined
  path?: string | undefined
  order_id?: string | null | undefined
  receipt?: string | null | undefined
  event?: string | undefined
}

/** Adds a rule behind those that stand. */
export function addFault(world: World, request: FaultRequest): FaultRule {
  const { seconds, ...input } = FaultInput.parse(request)
  const rule: FaultRule = {
    ...input,
    id: input.id ?? newId(world, 'fault_'),
    until: seconds === undefined ? null : nowSeconds(world) + seconds,
    seen: 0,
    fired: 0,
  }
  world.state.faults = [...world.state.faults.filter((other) => other.id !== rule.id), rule]
  return rule
}

/** `*` in a pattern stands for one part of a path or, at the end, for all that follows. */
function matchesPath(pattern: string, path: string): boolean {
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]*')
  return new RegExp(`^${source}${pattern.endsWith('*') ? '.*' : ''}$`).test(path)
}

function matches(rule: FaultRule, occasion: Occasion): boolean {
  const { method, path, order_id, receipt, event } = rule.match
  return (
    (method === undefined || method.toUpperCase() === occasion.method) &&
    (path === undefined || matchesPath(path, occasion.path ?? '')) &&
    (order_id === undefined || order_id === occasion.order_id) &&
    (receipt === undefined || receipt === occasion.receipt) &&
    (event === undefined || event === occasion.event)
  )
}

function isSpent(world: World, rule: FaultRule): boolean {
  if (rule.until !== null && nowSeconds(world) >= rule.until) return true
  return rule.times !== null && rule.fired >= rule.times
}

/**
 * The action of the first rule that fits both the kind of action and the occasion, counted as fired.
 * `pick` says whether an action is of the wanted kind by giving it back.
 */
export function takeFault<Action>(
  world: World,
  occasion: Occasion,
  pick: (action: FaultRule['action']) => Action | null,
): Action | null {
  for (const rule of world.state.faults) {
    const action = pick(rule.action)
    if (action === null || isSpent(world, rule) || !matches(rule, occasion)) continue
    rule.seen += 1
    if (rule.match.nth !== undefined && rule.seen !== rule.match.nth) continue
    rule.fired += 1
    return action
  }
  return null
}

/** Rules that never struck: a test that set them did not test what it says. */
export function unfiredFaults(world: World): string[] {
  return world.state.faults.filter((rule) => rule.fired === 0).map((rule) => rule.id)
}
