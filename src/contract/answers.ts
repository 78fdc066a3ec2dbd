/** A rule of thumb: what one answer takes, with its question and the screen it reads. */
export const TOKENS_PER_ANSWER = 2_000

/** About how many answers some tokens are: to the nearest ten, below ten to the nearest one. */
export function answersIn(tokens: number): number {
  const answers = tokens / TOKENS_PER_ANSWER
  return answers < 10 ? Math.floor(answers) : Math.round(answers / 10) * 10
}

/** What an account has to try the product, once its address is proven. It costs nothing and nothing is refunded for it. */
export const TRIAL_TOKENS = 20_000
