/** A mutant that no test can notice, and why. */
export interface Equivalent {
  file: string
  /** As the mutant's report names them. */
  at: string
  from: string
  to: string
  reason: string
}

export const equivalents: Equivalent[] = []
