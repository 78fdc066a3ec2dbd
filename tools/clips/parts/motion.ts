/** The style attribute that ties an element to the moments it comes and, if it does, goes. */
export function moments(atMs: number, untilMs?: number): string {
  const until = untilMs === undefined ? '' : `;--until:${String(untilMs)}ms`
  return `style="--at:${String(atMs)}ms${until}"`
}
