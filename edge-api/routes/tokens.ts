import type { Hono } from 'hono'
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
import { ledgerFile, listLedger } from '../domain/tokens/list-ledger.ts'
import { recordUsageSession } from '../domain/tokens/record-usage-session.ts'
import { showStatement } from '../domain/tokens/show-statement.ts'
import { showUsage } from '../domain/tokens/show-usage.ts'
import { useTokens, useTokensBatch } from '../domain/tokens/use-tokens.ts'
import type { AppEnv } from '../http/env.ts'
import { mountSession, mountStream } from '../http/mount-endpoint.ts'

/** Uses of tokens, which the desktop app reports, and what a user reads about them. */
export function mountTokens(app: Hono<AppEnv>): void {
  mountSession(app, useTokensEndpoint, useTokens)
  mountSession(app, useTokensBatchEndpoint, useTokensBatch)
  mountSession(app, recordUsageSessionEndpoint, recordUsageSession)
  mountSession(app, usageEndpoint, showUsage)
  mountSession(app, ledgerEndpoint, listLedger)
  mountStream(app, ledgerFileEndpoint, ledgerFile)
  mountSession(app, statementEndpoint, showStatement)
}
