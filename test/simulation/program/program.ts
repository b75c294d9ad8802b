import type { ApiResponse } from '../../support/visitor'

export type Call = {
  method: string
  /** Path below `/api`. */
  path: string
  body?: unknown
  headers?: Record<string, string>
}

export type Settings = { timeZone: string; now: Date }

/** A running program with one or more instances on one database. Calls alternate between the instances. */
export interface Program {
  /** False if its clock stands still between calls of `setTime`. */
  readonly isClockRunning: boolean
  /** Returns null if the answer was lost because the instance was killed. */
  send(call: Call): Promise<ApiResponse | null>
  /** Sets the clock of all instances, and signs in again. */
  setTime(now: Date): Promise<void>
  /** Kills the instance that receives the next call, so many milliseconds after the call was sent, and restarts it. */
  killAtNextCall?(afterMs: number): void
  close(): Promise<void>
}

export type StartProgram = (settings: Settings) => Promise<Program>

export function requestOf({ method, path, body, headers = {} }: Call, origin: string, token: string): Request {
  const isForm = body instanceof FormData
  return new Request(`${origin}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  })
}

export async function readResponse(response: Response): Promise<ApiResponse> {
  const { status, headers } = response
  const isJson = headers.get('content-type')?.includes('json')
  return { status, headers, body: isJson ? await response.json() : { text: await response.text() } }
}
