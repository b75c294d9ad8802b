import { vendors } from '../../../../db/schema'
import { paths } from '../../../platform/paths'
import type { RecordKind } from '../../../platform/records/kind'

export const vendorKind: RecordKind = {
  table: vendors,
  noun: 'vendor',
  many: 'vendors',
  calledBy: vendors.vendor_name,
  page: ({ id }) => paths.vendorBilling.show(id),
  history: 'everybody',
  events: 'everybody',
}
