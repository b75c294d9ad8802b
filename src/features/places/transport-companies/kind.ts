import { transportCompanies } from '../../../../db/schema'
import { paths } from '../../../platform/paths'
import type { RecordKind } from '../../../platform/records/kind'

export const transportCompanyKind: RecordKind = {
  table: transportCompanies,
  noun: 'transport company',
  many: 'transport companies',
  calledBy: transportCompanies.company_name,
  page: ({ id }) => paths.companyBilling.show(id),
  history: 'everybody',
  events: 'everybody',
}
