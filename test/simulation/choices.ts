/** Choices of a step, drawn from its seed. The same seed makes the same choices, whatever the other steps did. */
export class Choices {
  #state: number
  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0
  }
  /** A number from 0 to `below` - 1, from a linear congruential generator. */
  number(below: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * below)
  }
  isTrue = (percent: number) => this.number(100) < percent
  of<T>(all: readonly T[]): T | undefined {
    return all[this.number(all.length)]
  }
}
