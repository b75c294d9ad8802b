import { test } from 'bun:test'
import { simulate } from './simulate'

// `bun run simulate` runs more and longer simulations with other seeds.
test('simulated weeks agree with the model after every day', () => simulate({ seed: 39, runs: 5, length: 80 }))
