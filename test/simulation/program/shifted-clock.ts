/**
 * Shifts the clock of a server process. Loaded before the program, so that the program runs unchanged. `CLOCK_SHIFT` is
 * the first shift in milliseconds, and each message of the parent process is a new one.
 */
let shift = Number(process.env.CLOCK_SHIFT ?? 0)
const RealDate = Date
const now = () => RealDate.now() + shift

// A proxy instead of a subclass, so that dates that Bun creates itself are instances of `Date` too.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, values: [], newTarget) => Reflect.construct(target, values.length ? values : [now()], newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
})

process.on('message', (message: number) => {
  shift = message
  process.send?.(message)
})
