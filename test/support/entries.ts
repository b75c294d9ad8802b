import type { Cast } from './cast'

/**
 * Functions that create a valid record by API and return its id. `values` replace the default values or add fields.
 */

/** Creates a record with the values of the call. Returns its id. */
export const make = async ({ ben }: Pick<Cast, 'ben'>, path: string, values: object) =>
  ((await ben.post(path, values)).body.data as { id: number }).id

export const makeTransport = (cast: Cast, values: object) =>
  make(cast, '/transports', {
    unit_number: '100200',
    location_out_id: cast.phoenix,
    location_in_id: cast.tempe,
    transport_company_id: cast.desert,
    move_date: '2026-03-10',
    ...values,
  })

export const makeOsl = (cast: Cast, values: object) =>
  make(cast, '/osl', {
    unit_number: '100200',
    osl_date: '2026-02-01',
    location_id: cast.phoenix,
    problem: 'Transmission slips in third gear',
    ...values,
  })

export const makeRegistration = (cast: Cast, values: object) =>
  make(cast, '/registrations', {
    unit_number: '100200',
    location_id: cast.phoenix,
    plate_number: 'AZ 1',
    state_province: 'AZ',
    date_issued: '2025-01-01',
    date_expires: '2027-01-01',
    ...values,
  })

export const makeTitle = (cast: Cast, values: object) =>
  make(cast, '/titles', { unit_number: '100200', location_id: cast.phoenix, ...values })
