/** Milliseconds as seconds with one digit. */
export function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1)
}
