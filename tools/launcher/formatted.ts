/** What the formatter looks after. */
export const formattedFiles = '**/*.{ts,tsx,mjs,astro,css}'
