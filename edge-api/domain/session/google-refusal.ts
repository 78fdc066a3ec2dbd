import type { GoogleProblem } from '../../../src/contract/google.ts'

/** A sign-in with Google that ends at /login, with the sentence to show there. */
export class GoogleRefusal extends Error {
  override readonly name = 'GoogleRefusal'
  readonly problem: GoogleProblem

  constructor(problem: GoogleProblem) {
    super(problem)
    this.problem = problem
  }
}
