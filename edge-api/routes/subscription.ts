import type { Hono } from 'hono'
import {
  cancelSubscriptionEndpoint,
  currentSubscriptionEndpoint,
  reactivateSubscriptionEndpoint,
} from '../../src/contract/subscription.ts'
import {
  recordUsageSessionEndpoint,
  useTokensBatchEndpoint,
  useTokensEndpoint,
} from '../../src/contract/report-usage.ts'
import {
  ledgerEndpoint,
  ledgerFileEndpoint,
  statementEndpoint,
  usageEndpoint,
} from '../../src/contract/usage.ts'
import { cancelPlan, currentSubscription, reactivatePlan } from '../domain/account/subscription.ts'
import { ledgerFile, listLedger } from '../domain/tokens/list-ledger.ts'
import { recordUsageSession } from '../domain/tokens/record-usage-session.ts'
import { showStatement } from '../domain/tokens/show-statement.ts'
import { showUsage } from '../domain/tokens/show-usage.ts'
import { useTokens, useTokensBatch } from '../domain/tokens/use-tokens.ts'
import type { AppEnv } from '../http/env.ts'
import { mountSession, mountStream } from '../http/mount-endpoint.ts'

/** The caller's plan, tokens and usage. */
export function mountSubscription(app: Hono<AppEnv>): void {
  mountSession(app, currentSubscriptionEndpoint, currentSubscription)
  mountSession(app, cancelSubscriptionEndpoint, cancelPlan)
  mountSession(app, reactivateSubscriptionEndpoint, reactivatePlan)
  mountSession(app, useTokensEndpoint, useTokens)
  mountSession(app, useTokensBatchEndpoint, useTokensBatch)
  mountSession(app, recordUsageSessionEndpoint, recordUsageSession)
  mountSession(app, usageEndpoint, showUsage)
  mountSession(app, ledgerEndpoint, listLedger)
  mountStream(app, ledgerFileEndpoint, ledgerFile)
  mountSession(app, statementEndpoint, showStatement)
}
