import { expect } from 'bun:test'
import type { Cast } from '../support/cast'
import type { ApiResponse } from '../support/visitor'

export const MOVE = {
  unit_number: '100200',
  move_date: '2026-03-10',
  location_out_id: 1,
  location_in_id: 2,
  transport_company_id: 1,
}
export const PLATE = {
  unit_number: '100200',
  location_id: 1,
  plate_number: 'CDA4821',
  state_province: 'AZ',
  date_issued: '2026-01-01',
  date_expires: '2026-12-31',
}

/** The audit entry of a vehicle that changes together with its record. */
export const FOLLOWS = 'update vehicles ben api'

export type Step = [call: string, act: () => Promise<ApiResponse | unknown>, entries: string[]]

/** Functions that make a call, `on` as Ben and `by` as the administrator Ada, and check that it succeeds. */
export function callsOf({ ada, ben }: Cast) {
  const on =
    (method: string, path: string, body?: unknown, who = ben) =>
    async () => {
      const { status, body: answer } = await who.call(method, path, body)
      expect([method, path, status < 300, answer.message]).toEqual([method, path, true, answer.message])
    }
  return { on, by: (method: string, path: string, body?: unknown) => on(method, path, body, ada) }
}
