/** Names that the demo data and the tests share. */
export const CAST = {
  ada: { username: 'ada', role: 'admin', first_name: 'Ada', last_name: 'Reyes' },
  ben: { username: 'ben', role: 'user', first_name: 'Ben', last_name: 'Carter' },
} as const

export const CAST_LOCATIONS = [
  { location_code: 'PHX', location_name: 'Phoenix', location_type: 'Hub' },
  { location_code: 'TMP', location_name: 'Tempe', location_type: 'Dealer' },
  { location_code: 'MES', location_name: 'Mesa', location_type: 'Tow' },
] as const

export const CAST_COMPANIES = [
  { company_name: 'Desert Auto Haul' },
  { company_name: 'Copper State Transport' },
] as const
