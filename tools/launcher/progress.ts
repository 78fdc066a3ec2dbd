import {
  MinimalReporter,
  type TestCase,
  type TestModule,
  type TestSpecification,
} from 'vitest/node'

interface Tier {
  files: number
  filesDone: number
  tests: number
}

/**
 * Reports how a run goes: one counting line on a terminal, one line per tier in a log. For a test that fails it prints
 * its output, and at the end why it failed.
 */
export default class Progress extends MinimalReporter {
  readonly #tiers = new Map<string, Tier>()
  #failed = 0
  #begunAt = 0

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications)
    this.#begunAt = performance.now()
    for (const { project } of specifications) this.#tierOf(project).files += 1
  }

  override onTestCaseResult(test: TestCase): void {
    this.#clearLine()
    super.onTestCaseResult(test)
    const { state } = test.result()
    if (state === 'failed') this.#failed += 1
    this.#drawLine()
  }

  override onTestModuleEnd(module: TestModule): void {
    this.#clearLine()
    super.onTestModuleEnd(module)
    const tier = this.#tierOf(module.project)
    tier.filesDone += 1
    // Its last results may be reported after its end.
    for (const test of module.children.allTests())
      if (test.result().state !== 'skipped') tier.tests += 1
    if (tier.filesDone === tier.files && !this.isTTY) {
      this.log(`${module.project.name}: ${tier.tests} tests, ${this.#seconds()} s`)
    }
    this.#drawLine()
  }

  /** The launcher prints the totals, because there may be several runs. */
  override reportTestSummary(): void {
    this.#clearLine()
  }

  #drawLine(): void {
    if (!this.isTTY) return
    const tiers = [...this.#tiers]
    const sum = (key: keyof Tier) => tiers.reduce((total, [, tier]) => total + tier[key], 0)
    const running = tiers.find(([, { filesDone, files }]) => filesDone < files)?.[0] ?? 'done'
    const done = `${sum('filesDone')} of ${sum('files')} files, ${sum('tests')} tests`
    process.stdout.write(`${running}: ${done}, ${this.#failed} failed, ${this.#seconds()} s`)
  }

  #clearLine(): void {
    if (this.isTTY) process.stdout.write('\r\u001B[K')
  }

  #seconds(): number {
    return Math.round((performance.now() - this.#begunAt) / 1_000)
  }

  #tierOf({ name }: { name: string }): Tier {
    const tier = this.#tiers.get(name) ?? { files: 0, filesDone: 0, tests: 0 }
    this.#tiers.set(name, tier)
    return tier
  }
}
