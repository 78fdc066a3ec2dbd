import { DESK, DESK_CONFIRMED_MINUTES } from '../../../src/contract/desk.ts'
import { SERVER } from '../../../src/contract/messages.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'
import { minutes } from '../time.ts'
import type { Account } from './account-query.ts'
import { accountKey } from './account-key.ts'
import { type Factors, isTwoStep } from './has-factor.ts'

/**
 * The operator in the rows of `accountQuery` and `factorsQuery`. For everybody else the desk does not exist: NOT_FOUND, as an unknown path
 * answers. An operator without a second step gets FACTOR_REQUIRED, one who confirmed nothing for 15 minutes
 * STEP_UP_REQUIRED (docs/decisions/0105-the-desk-is-an-unknown-path.md).
 */
export function requireOperator(
  { now, operators }: Pick<Context, 'now' | 'operators'>,
  [account]: readonly Account[],
  [factors]: Factors,
): Account {
  if (account === undefined || !isOperator(operators, account)) {
    throw new Refusal('NOT_FOUND', SERVER.notFound)
  }
  if (factors === undefined || !isTwoStep(factors))
    throw new Refusal('FACTOR_REQUIRED', DESK.needsFactor)
  const { confirmedAt } = account.session
  if (confirmedAt === null || confirmedAt <= now - minutes(DESK_CONFIRMED_MINUTES)) {
    throw new Refusal('STEP_UP_REQUIRED', DESK.confirm)
  }
  return account
}

function isOperator(operators: readonly string[], { user }: Account): boolean {
  return user.emailVerifiedAt !== null && operators.map(accountKey).includes(user.emailKey)
}
