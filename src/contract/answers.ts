/** A rule of thumb: the tokens of one answer, with its question and the screen it reads. */
export const TOKENS_PER_ANSWER = 2_000

/** About how many answers the tokens are enough for: to the nearest ten; below ten, rounded down. */
export function answersIn(tokens: number): number {
  const answers = tokens / TOKENS_PER_ANSWER
  return answers < 10 ? Math.floor(answers) : Math.round(answers / 10) * 10
}

/** The trial tokens of an account, once its address is verified. They are free and have no refund value. */
export const TRIAL_TOKENS = 20_000
