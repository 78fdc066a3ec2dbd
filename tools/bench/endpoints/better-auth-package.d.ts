// What we use of a package that is installed only when the benchmark runs (tools/bench/pinned.ts).

declare module 'better-auth/minimal' {
  export function betterAuth(options: object): {
    handler: (request: Request) => Promise<Response>
  }
}

declare module 'better-auth/adapters/drizzle' {
  export function drizzleAdapter(
    database: object,
    options: { provider: 'sqlite'; schema: object },
  ): object
}
