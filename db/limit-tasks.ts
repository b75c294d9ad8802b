const tooBusy = () => Object.assign(new Error('Too many transactions are running'), { code: '55P03' })

/** Returns a function that runs at most `limit` tasks at a time. Other tasks wait, and fail after `maxWaitMs`. */
export function limitTasks(limit: number, maxWaitMs: number) {
  let running = 0
  const waiting: (() => void)[] = []
  const wait = () =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer =
        maxWaitMs < Infinity
          ? setTimeout(() => {
              waiting.splice(waiting.indexOf(begin), 1)
              reject(tooBusy())
            }, maxWaitMs)
          : undefined
      waiting.push(begin)
    })
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= limit) await wait()
    else running++
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
