import { readFileSync } from 'node:fs'

/** What a round of load on an address took: requests a second, processor time of the server, waiting times in ms. */
export type Round = { perSecond: number; cpuMs: number; p50: number; p99: number; bytes: number }

/** Processor time of a process so far, in milliseconds. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Memory of a process now, in megabytes. */
export const memoryOf = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)

/** Asks again and again from several connections at once for so long. @throws when an answer is not a success */
export async function measure(
  pid: number,
  { ms, clients }: { ms: number; clients: number },
  ask: (n: number) => Promise<Response>,
): Promise<Round> {
  const times: number[] = []
  let bytes = 0
  let asked = 0
  const [begun, cpu] = [performance.now(), cpuOf(pid)]
  const client = async () => {
    while (performance.now() - begun < ms) {
      const at = performance.now()
      const response = await ask(asked++)
      const body = await response.arrayBuffer()
      if (!response.ok) throw new Error(`${response.url}: ${response.status}`)
      bytes = body.byteLength
      times.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const seconds = (performance.now() - begun) / 1000
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

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

/** The figures of a subject's rounds, as the cells of its line after the processor time. */
export function figuresOf(rounds: Round[]): { cpu: string; rest: string } {
  const figure = (key: keyof Round, digits: number) => median(rounds.map((round) => round[key])).toFixed(digits)
  return {
    cpu: figure('cpuMs', 2),
    rest: [figure('perSecond', 0), figure('p50', 1), figure('p99', 1), figure('bytes', 0)].join(' | '),
  }
}
