import * as XLSX from 'xlsx'
import type { DataType } from '../../../db/vocabulary'
import { addDays } from '../../clock'
import { IMPORT_COLUMNS } from '../parse/place-columns'

/** The names that a sample refers to: the company's own when it has enough of them, else these. */
export type SampleNames = { locations: [string, string]; company: string; exist: boolean }
export const DEFAULT_SAMPLE_NAMES: SampleNames = { locations: ['Phoenix', 'Tempe'], company: 'Desert Auto Haul', exist: false }

type Line = Record<string, string | number>

function sampleLines(dataType: DataType, { locations: [here, there], company }: SampleNames, today: string): Line[] {
  const lines: Record<DataType, Line[]> = {
    transports: [
      {
        unit_number: '100201',
        location_out: here,
        location_in: there,
        move_date: addDays(today, -3),
        transport_company: company,
        status: 'In Transit',
        ra_number: 'RA10021',
        estimated_arrival_date: addDays(today, 1),
        mileage: 45210,
        move_type: 'Fleet',
        estimated_cost: 350,
      },
      {
        unit_number: '100202',
        location_out: there,
        location_in: here,
        move_date: addDays(today, -9),
        transport_company: company,
        status: 'Delivered',
        ra_number: 'RA10022',
        estimated_arrival_date: addDays(today, -7),
        mileage: 61877,
        move_type: 'Sales',
        estimated_cost: 420.5,
        final_cost: 431.25,
      },
      {
        unit_number: '100203',
        location_out: here,
        location_in: there,
        move_date: today,
        transport_company: company,
        status: 'Awaiting Pickup',
        move_type: 'OSL',
      },
    ],
    osl: [
      {
        unit_number: '100301',
        osl_date: addDays(today, -12),
        location: here,
        problem: 'Transmission slips in third gear',
        osl_mileage: 88210,
        key_location: 'Front office',
        contact_phone: '602-555-0142',
        fuel_level: '1/2',
        storage_fee_daily_rate: 35,
      },
      { unit_number: '100302', osl_date: addDays(today, -2), location: there, problem: 'Windshield cracked on the driver side', fuel_level: 'Full' },
    ],
    registrations: [
      {
        unit_number: '100401',
        location: here,
        plate_number: 'CDA4821',
        state_province: 'AZ',
        date_issued: addDays(today, -300),
        date_expires: addDays(today, 65),
        registration_type: 'Renewal',
        cost: 108.5,
        vlt: 212.4,
      },
      {
        unit_number: '100402',
        location: there,
        plate_number: 'BKE1190',
        state_province: 'AZ',
        date_issued: today,
        date_expires: addDays(today, 365),
        registration_type: 'New',
        cost: 132,
      },
    ],
    titles: [
      { unit_number: '100501', location: here, dealer_name: 'Valley Truck Sales', dealer_contact: 'Dana Ortiz', notes: 'Waiting for the lien release' },
      { unit_number: '100502', location: there, dealer_name: 'Mesa RV Center' },
    ],
  }
  return lines[dataType]
}

/** A small workbook with every column of its kind, which imports without an error. */
export function sampleWorkbook(dataType: DataType, names: SampleNames, today: string): Uint8Array<ArrayBuffer> {
  const { required, optional } = IMPORT_COLUMNS[dataType]
  const header = [...required, ...optional].map((column) => column.name)
  const sheet = XLSX.utils.aoa_to_sheet([header, ...sampleLines(dataType, names, today).map((line) => header.map((name) => line[name] ?? null))])
  sheet['!cols'] = header.map((name) => ({ wch: Math.max(12, name.length + 2) }))
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, sheet, dataType)
  return new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx', compression: true }) as ArrayBuffer)
}
