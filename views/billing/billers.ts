import { paths } from '../../src/platform/paths'

/**
 * URLs and labels for the companies that send invoices. These are vendors and transport companies. The key is the
 * column in which an invoice stores the id of its sender.
 */
export const BILLERS = {
  vendor_id: {
    noun: 'Vendor',
    pages: paths.vendorBilling,
    billed: 'storage',
    lines: 'Paste rows from the vendor’s spreadsheet, or type them: unit and amount, or unit, days, rate and amount.',
    file:
      'The file must have a column for the unit and a column for the amount. ' +
      'Columns for the days and the rate are optional.',
  },
  transport_company_id: {
    noun: 'Company',
    pages: paths.companyBilling,
    billed: 'transports',
    lines: 'Paste rows from the company’s spreadsheet, or type them: unit and amount, or unit, move date and amount.',
    file:
      'The file must have a column for the unit and a column for the amount. ' +
      'A column for the move date is optional.',
  },
}
export type BillerColumn = keyof typeof BILLERS

type Billed = {
  vendor_id: number | null
  vendor_name: string | null
  transport_company_id: number | null
  company_name: string | null
}

export const billerOf = ({ vendor_id, vendor_name, transport_company_id, company_name }: Billed) => {
  const [column, id, name] =
    vendor_id === null
      ? (['transport_company_id', transport_company_id, company_name] as const)
      : (['vendor_id', vendor_id, vendor_name] as const)
  const { pages, ...words } = BILLERS[column]
  return { ...words, name: name ?? '', show: pages.show(id ?? 0) }
}
