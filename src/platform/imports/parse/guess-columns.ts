import type { DataType } from '../../../../db/vocabulary'

/** What offices call a field beside its own name, in whole words and without their abbreviations. */
type OtherNames = Record<string, readonly string[]>

const EVERYWHERE: OtherNames = {
  unit_number: ['unit', 'vehicle', 'vehicle number', 'fleet number', 'car number', 'truck number', 'asset number'],
  ra_number: ['ra', 'rental agreement', 'rental agreement number'],
  notes: ['note', 'comment', 'comments', 'remark', 'remarks'],
}
const PLACE = ['hub', 'site', 'branch', 'yard', 'lot', 'location name', 'location code', 'current location']

const OTHER_NAMES: Record<DataType, OtherNames> = {
  transports: {
    ...EVERYWHERE,
    location_out: ['from', 'origin', 'pickup', 'pickup location', 'from location', 'out', 'location from', 'source'],
    location_in: ['to', 'destination', 'drop off', 'dropoff', 'drop off location', 'to location', 'in', 'location to'],
    move_date: ['date', 'move', 'date moved', 'pickup date', 'ship date', 'date of move', 'transport date'],
    transport_company: ['company', 'carrier', 'hauler', 'transporter', 'transport', 'hauled by', 'driver company'],
    status: ['state of move', 'current status', 'move status', 'transport status'],
    estimated_arrival_date: ['eta', 'estimated arrival', 'expected arrival', 'expected', 'arrival estimated'],
    actual_arrival_date: ['arrived', 'arrival', 'arrival date', 'actual arrival', 'date delivered', 'delivery date'],
    mileage: ['miles', 'odometer', 'odo', 'mileage out'],
    move_type: ['type', 'type of move', 'transport type'],
    estimated_cost: ['estimate', 'quote', 'quoted', 'quoted cost', 'cost estimated'],
    final_cost: ['actual cost', 'invoiced', 'invoice amount', 'invoiced cost', 'cost final'],
    issue_po: ['po needed', 'needs po'],
    po_number: ['po', 'purchase order', 'purchase order number'],
  },
  osl: {
    ...EVERYWHERE,
    osl_date: ['date', 'out of service', 'out of service date', 'out since', 'date out', 'since', 'down date'],
    location: PLACE,
    problem: ['issue', 'reason', 'fault', 'defect', 'problem description', 'description', 'what is wrong'],
    osl_mileage: ['mileage', 'miles', 'odometer', 'odo'],
    key_location: ['keys', 'key', 'keys at', 'where keys are'],
    contact_phone: ['phone', 'contact', 'phone number', 'contact number'],
    fuel_level: ['fuel', 'gas', 'tank'],
    storage_fee_daily_rate: ['rate', 'daily rate', 'storage rate', 'storage fee', 'daily fee', 'fee per day'],
  },
  registrations: {
    ...EVERYWHERE,
    location: PLACE,
    plate_number: ['plate', 'license plate', 'licence plate', 'tag', 'tag number', 'license number'],
    state_province: ['state', 'province', 'state or province', 'plate state'],
    date_issued: ['issued', 'issue date', 'issued on', 'start date', 'valid from'],
    date_expires: [
      'expires',
      'expiration',
      'expiry',
      'expiration date',
      'expiry date',
      'expires date',
      'valid until',
      'expires on',
    ],
    registration_type: ['type'],
    cost: ['fee', 'registration cost', 'registration fee', 'price'],
    vlt: ['vehicle license tax', 'vehicle licence tax', 'license tax', 'tax'],
  },
  titles: {
    ...EVERYWHERE,
    location: PLACE,
    dealer_name: ['dealer', 'buyer', 'dealership', 'sold to', 'auction'],
    dealer_contact: ['contact', 'dealer phone', 'contact name', 'dealer contact name'],
  },
}

const ABBREVIATIONS: Record<string, string> = {
  no: 'number',
  num: 'number',
  nr: 'number',
  '#': 'number',
  est: 'estimated',
  act: 'actual',
  loc: 'location',
  reg: 'registration',
  exp: 'expires',
  dt: 'date',
  veh: 'vehicle',
  trans: 'transport',
  co: 'company',
  pu: 'pickup',
  amt: 'amount',
  tel: 'phone',
  whats: 'what is',
}

/** No name that is known is as long. */
const LONGEST = 100

/** `Est. Cost ($)` → `estimated cost`; what cannot be a heading is blank. */
const plainWords = (heading: string) =>
  heading
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/\([^()]*\)|[$']/g, '')
    .replace(/#/g, ' # ')
    .replace(/pick[ -]up/g, 'pickup')
    .split(/[^a-z0-9#]+/)
    .filter(Boolean)
    .map((word) => ABBREVIATIONS[word] ?? word)
    .join(' ')

const GUESSES = Object.fromEntries(
  Object.entries(OTHER_NAMES).map(([dataType, fields]) => [
    dataType,
    new Map(
      Object.entries(fields).flatMap(([field, names]) =>
        [field.replaceAll('_', ' '), ...names].map((name): [string, string] => [name, field]),
      ),
    ),
  ]),
) as Record<DataType, Map<string, string>>

/**
 * The field that a heading most likely means, where somebody sees it before anything is written: `From` is the
 * location that a transport leaves.
 */
export const guessColumn = (heading: string, dataType: DataType): string | null =>
  GUESSES[dataType].get(plainWords(heading)) ?? null
