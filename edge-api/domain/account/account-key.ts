/** How addresses and names are compared: without regard to case or to Unicode's several spellings. */
export function accountKey(typed: string): string {
  return typed.normalize('NFKC').trim().toLowerCase()
}
