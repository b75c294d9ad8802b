import { transportCompanies } from '../../../../db/schema'
import { paths } from '../../../platform/paths'
import type { RecordKind } from '../../../platform/records/kind'
import { transportCompanyQueries } from './queries'

export const transportCompanyKind: RecordKind = {
  table: transportCompanies,
  noun: 'transport company',
  many: 'transport companies',
  calledBy: transportCompanies.company_name,
  page: ({ id }) => paths.companyBilling.show(id),
  history: 'everybody',
  events: 'everybody',
  find: (db, _clock, id) => transportCompanyQueries.find(db, id),
}
