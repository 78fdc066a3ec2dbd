import type { AstroIntegration } from 'astro'

declare module 'astro' {
  interface AstroClientDirectives {
    'client:painted'?: boolean
  }
}

/**
 * Public pages wake their islands with `client:painted`. `client:idle` may begin before the first paint on a busy
 * machine, and the paint then waits for React (docs/decisions/0024-public-islands-wait-for-the-first-paint.md).
 */
export function painted(): AstroIntegration {
  return {
    name: 'painted',
    hooks: {
      'astro:config:setup': ({ addClientDirective }) => {
        addClientDirective({
          name: 'painted',
          entrypoint: './site/build/painted-directive.ts',
        })
      },
    },
  }
}
