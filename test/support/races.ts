import type { testContext } from './context'

/** Number of times that a race is repeated. */
export const ROUNDS = 6

/** Returns a function that builds the body of a new transport from Phoenix to Tempe. */
export const moves =
  (context: () => Awaited<ReturnType<typeof testContext>>) =>
  (unit_number: string, more: object = {}) => {
    const { phoenix, tempe, desert } = context().cast
    return {
      unit_number,
      move_date: '2026-03-01',
      location_out_id: phoenix,
      location_in_id: tempe,
      transport_company_id: desert,
      ...more,
    }
  }

export const idOf = ({ body }: { body: Record<string, unknown> }) => (body.data as { id: number }).id
