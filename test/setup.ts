import { afterAll, afterEach, beforeEach, spyOn } from 'bun:test'
import { closeTestContext } from './support/context'

/** Calls of `console.error` during a test. Any of them makes the test fail. */
let complaints: ReturnType<typeof spyOn<Console, 'error'>>

beforeEach(() => {
  complaints = spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(() => {
  const said = complaints.mock.calls.map((words) => words.join(' '))
  complaints.mockRestore()
  if (said.length) throw new Error(`console.error was called:\n${said.join('\n')}`)
})

afterAll(closeTestContext)
