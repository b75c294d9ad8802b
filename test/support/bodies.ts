import type { Cast } from './cast'

/** Request bodies of valid records of the unit 100200, in which tests replace some values. */
export const recordBodies = (cast: () => Cast) => ({
  transport: (more: object = {}) => ({
    unit_number: '100200',
    location_out_id: cast().phoenix,
    location_in_id: cast().tempe,
    transport_company_id: cast().desert,
    move_date: '2026-03-10',
    status: 'Delivered',
    ...more,
  }),
  osl: (more: object = {}) => ({
    unit_number: '100200',
    osl_date: '2026-03-10',
    location_id: cast().mesa,
    problem: 'Transmission slips in third gear',
    ...more,
  }),
  registration: (more: object = {}) => ({
    unit_number: '100200',
    plate_number: 'AZ 100',
    state_province: 'AZ',
    date_issued: '2025-03-10',
    date_expires: '2026-03-10',
    location_id: cast().mesa,
    ...more,
  }),
  title: (more: object = {}) => ({
    unit_number: '100200',
    submitted_date: '2026-03-01',
    location_id: cast().mesa,
    ...more,
  }),
})
