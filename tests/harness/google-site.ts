import { afterAll, beforeAll, inject } from 'vitest'
import { type GoogleStandIn, startGoogle } from './google.ts'
import './provided.ts'
import { startWorker, type Worker } from './worker.ts'

/** For the tests of a file: a Worker on the run's database that signs in with a stand-in for Google. */
export function useGoogleSite() {
  let started: { google: GoogleStandIn; worker: Worker } | undefined

  beforeAll(async () => {
    const google = await startGoogle()
    const worker = await startWorker({
      databaseUrl: inject('databaseUrl'),
      emulatorUrl: inject('emulatorUrl'),
      vars: google.vars,
    })
    started = { google, worker }
  })

  afterAll(async () => {
    await started?.worker.stop()
    await started?.google.stop()
  })

  const running = () => {
    if (started === undefined) throw new Error('The site with Google is up only while tests run.')
    return started
  }
  return {
    get google() {
      return running().google
    },
    get url() {
      return running().worker.url
    },
  }
}
