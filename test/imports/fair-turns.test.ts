import { expect, test } from 'bun:test'
import { FairTurns } from '../../src/platform/fair-turns'

/** Starts pieces of work such as `mal transports`, and returns the names of the running ones. */
function work(limit: number) {
  const turns = new FairTurns(limit)
  const running: string[] = []
  const leaves = new Map<string, () => void>()
  return {
    turns,
    running,
    enter(name: string) {
      const [account = '', ...keys] = name.replace(/\d/, '').split(' ')
      const { started, leave } = turns.enter(account, keys)
      void started.then(() => running.push(name))
      leaves.set(name, leave)
    },
    async leave(name: string) {
      if (running.includes(name)) running.splice(running.indexOf(name), 1)
      leaves.get(name)?.()
      await Promise.resolve()
    },
  }
}

test('accounts take turns, and each account runs one piece of work at a time', async () => {
  const { enter, leave, running, turns } = work(2)
  for (const name of ['mal transports1', 'mal titles', 'mal transports2', 'vic transports', 'eve transports'])
    enter(name)
  await Promise.resolve()
  // The type of vic and eve is in use.
  expect(running).toEqual(['mal transports1'])
  expect(turns.waiting('mal')).toBe(2)
  await leave('mal transports1')
  expect(running).toEqual(['vic transports', 'mal titles'])
  await leave('vic transports')
  expect(running).toEqual(['mal titles', 'eve transports'])
  await leave('mal titles')
  expect(running).toEqual(['eve transports'])
  await leave('eve transports')
  expect(running).toEqual(['mal transports2'])
})

test('an account does not wait for new accounts that come after it', async () => {
  const { enter, leave, running } = work(1)
  for (const name of ['ada1', 'eve', 'ada2', 'new-a', 'new-b']) enter(name)
  await Promise.resolve()
  await leave('ada1')
  await leave('eve')
  enter('new-c')
  expect(running).toEqual(['new-a'])
  await leave('new-a')
  await leave('new-b')
  enter('new-d')
  await leave('ada2')
  expect(running).toEqual(['new-c'])
})

test('no more than the limit run, and work that leaves while it waits does not start', async () => {
  const { enter, leave, running } = work(2)
  for (const name of ['a', 'b', 'c', 'd']) enter(name)
  await Promise.resolve()
  expect(running).toEqual(['a', 'b'])
  await leave('c')
  await leave('a')
  expect(running).toEqual(['b', 'd'])
})

test('an error of the check ends the wait and frees the turn', async () => {
  const turns = new FairTurns(1)
  const gate = Promise.withResolvers<void>()
  const first = turns.run({ account: 'a' }, () => gate.promise)
  const check = () => Promise.reject(new Error('stopping'))
  const refused = await turns.run({ account: 'b', check }, async () => 'done').catch(String)
  expect([refused, turns.waiting('b')]).toEqual(['Error: stopping', 0])
  gate.resolve()
  await first
  expect(await turns.run({ account: 'b', check }, async () => 'done')).toBe('done')
})
