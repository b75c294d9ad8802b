import { CAST_COMPANIES, CAST_LOCATIONS } from './cast'
import { MOVE_TYPES } from './vocabulary'

export const PLACES = [
  ...CAST_LOCATIONS,
  { location_code: 'GLB', location_name: 'Gilbert', location_type: 'Hub' },
  { location_code: 'SCT', location_name: 'Scottsdale', location_type: 'Hub' },
  { location_code: 'TUS', location_name: 'Tucson', location_type: 'Hub' },
  { location_code: 'FLG', location_name: 'Flagstaff', location_type: 'Dealer' },
  { location_code: 'AXL', location_name: 'Axle Works Yard', location_type: 'Vendor' },
  { location_code: 'STW', location_name: 'Sonoran Towing', location_type: 'Tow' },
] as const

export const COMPANIES = [...CAST_COMPANIES, { company_name: 'Saguaro Logistics' }, { company_name: 'Mogollon Movers' }]

export const VENDORS = [
  { vendor_name: 'Axle Works', vendor_type: 'Repair Shop', contact_person: 'Dana Ortiz', phone: '602-555-0117' },
  { vendor_name: 'Sonoran Towing', vendor_type: 'Towing', contact_person: 'Lee Park', phone: '480-555-0142' },
  { vendor_name: 'Valley Parts', vendor_type: 'Parts Supplier', contact_person: 'Sam Hill', phone: '623-555-0163' },
  { vendor_name: 'Camelback Glass', vendor_type: 'Repair Shop', contact_person: 'Rita Moss', phone: '602-555-0188' },
]

export const PROBLEMS = [
  'Transmission slips between second and third gear under load',
  'Windshield cracked on the driver side after a stone chip',
  'Generator does not start, fuel filter suspected',
  'Air conditioning blows warm air at idle',
  'Brake warning light stays on after pad replacement',
  'Coolant leak at the water pump, parts on order',
  'Slide-out stuck halfway, motor hums without moving',
  'Rear bumper damaged in the yard, body work needed',
  'Check engine light with misfire on cylinder four',
]

export const MOVES = MOVE_TYPES.filter((type) => type !== 'Sales')
export const DEALERS = ['Valley Truck Sales', 'Mesa RV Center', 'Sun Country Motors', 'Pinnacle Coach']
export const NOTES = ['Call the gate first', 'Keys in the lock box', 'Two drivers needed', 'Return with a full tank']
