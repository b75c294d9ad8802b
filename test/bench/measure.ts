import { readFileSync } from 'node:fs'

/** Result of a load round. `cpuMs` is the server's processor time per request; p50 and p99 are response times in ms. */
export type Round = { perSecond: number; cpuMs: number; p50: number; p99: number; bytes: number }

/** Processor time of a process in milliseconds. Assumes 100 clock ticks per second. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Resident memory of a process in megabytes. */
export const memoryOf = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)

/** Repeats a request over several connections for `ms` milliseconds. @throws Error when a response is not a success */
export async function measure(
  pid: number,
  { ms, clients }: { ms: number; clients: number },
  ask: (n: number) => Promise<Response>,
): Promise<Round> {
  const times: number[] = []
  let bytes = 0
  let requestCount = 0
  const [startedAt, cpu] = [performance.now(), cpuOf(pid)]
  const client = async () => {
    while (performance.now() - startedAt < ms) {
      const at = performance.now()
      const response = await ask(requestCount++)
      const body = await response.arrayBuffer()
      if (!response.ok) throw new Error(`${response.url}: ${response.status}`)
      bytes = body.byteLength
      times.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const seconds = (performance.now() - startedAt) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] as number
  return {
    perSecond: times.length / seconds,
    cpuMs: (cpuOf(pid) - cpu) / times.length,
    p50: at(0.5),
    p99: at(0.99),
    bytes,
  }
}

/** Returns a quantile of the values, interpolated: 0.5 is the median. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const [below, above] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number]
  return below + (above - below) * (at - Math.floor(at))
}

export const median = (values: number[]) => quantile(values, 0.5)

/** Formats the median figures of a subject's rounds as table cells. */
export function figuresOf(rounds: Round[]): { cpu: string; rest: string } {
  const figure = (key: keyof Round, digits: number) => median(rounds.map((round) => round[key])).toFixed(digits)
  return {
    cpu: figure('cpuMs', 2),
    rest: [figure('perSecond', 0), figure('p50', 1), figure('p99', 1), figure('bytes', 0)].join(' | '),
  }
}
