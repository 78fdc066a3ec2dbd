/** The key by which addresses and usernames are compared: case and Unicode spelling do not matter. */
export function accountKey(typed: string): string {
  return typed.normalize('NFKC').trim().toLowerCase()
}
