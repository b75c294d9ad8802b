import { vendors } from '../../../../db/schema'
import { paths } from '../../../platform/paths'
import type { RecordKind } from '../../../platform/records/kind'
import { vendorQueries } from './queries'

export const vendorKind: RecordKind = {
  table: vendors,
  noun: 'vendor',
  many: 'vendors',
  calledBy: vendors.vendor_name,
  page: ({ id }) => paths.vendorBilling.show(id),
  history: 'everybody',
  events: 'everybody',
  find: (db, _clock, id) => vendorQueries.find(db, id),
}
