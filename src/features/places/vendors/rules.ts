import { z } from 'zod'
import {
  countOr,
  externalId,
  NOTES_LIMIT,
  optionalEmail,
  optionalMoney,
  optionalText,
  requiredText,
  yesNo,
} from '../../../platform/fields'
import { activeFilter } from '../../../platform/lists/active-filter'
import { recordQuery } from '../../../platform/lists/list-query'
import { otherNames } from '../../../platform/records/master-data/other-names'

export const vendor = z.object({
  vendor_name: requiredText('Vendor name is required', 100),
  other_names: otherNames,
  vendor_type: optionalText(50),
  contact_person: optionalText(100),
  address: optionalText(255),
  phone: optionalText(20),
  email: optionalEmail(100),
  notes: optionalText(NOTES_LIMIT),
  external_id: externalId,
  storage_daily_rate: optionalMoney,
  storage_grace_days: countOr(0, 3650),
  is_active: yesNo(true),
})

export const vendorFilters = recordQuery(
  ['vendor_name', 'vendor_type', 'contact_person', 'created_at'],
  'vendor_name',
).extend({
  type: optionalText(50),
  is_active: activeFilter,
})
