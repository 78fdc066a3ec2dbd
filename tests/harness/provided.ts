/** Addresses the global setups hand to test files: `inject('siteUrl')`. */
declare module 'vitest' {
  interface ProvidedContext {
    /** The libSQL server of this run, migrated. In the domain, api and e2e projects. */
    databaseUrl: string
    /** The built site in workerd. In the api and e2e projects. */
    siteUrl: string
    /** The Razorpay emulator whose webhooks reach that site. In the api and e2e projects. */
    emulatorUrl: string
    /** Where a running browser waits for openPage(). In the e2e project. */
    browserEndpoint: string
  }
}

export {}
