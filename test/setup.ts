import { afterAll, afterEach, beforeEach, spyOn } from 'bun:test'
import { closeTestContext } from './support/context'

/** Calls of `console.error` during a test. Any of them makes the test fail. */
let complaints: ReturnType<typeof spyOn<Console, 'error'>>

beforeEach(() => {
  complaints = spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(() => {
  const messages = complaints.mock.calls.map((words) => words.join(' '))
  complaints.mockRestore()
  if (messages.length) throw new Error(`console.error was called:\n${messages.join('\n')}`)
})

afterAll(closeTestContext)
