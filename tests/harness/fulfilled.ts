/** What calls at once answer, without those that are rejected. */
export async function fulfilled<Answer>(calls: readonly Promise<Answer>[]): Promise<Answer[]> {
  const outcomes = await Promise.allSettled(calls)
  return outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}
