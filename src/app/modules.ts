import { billing } from '../features/billing/module'
import { budgets } from '../features/budgets/module'
import { dashboard } from '../features/dashboard/module'
import { due } from '../features/due/module'
import { osl } from '../features/osl/module'
import { locations } from '../features/places/locations/module'
import { transportCompanies } from '../features/places/transport-companies/module'
import { vendors } from '../features/places/vendors/module'
import { profile } from '../features/profile/module'
import { registrations } from '../features/registrations/module'
import { reports } from '../features/reports/module'
import { scan } from '../features/scan/module'
import { search } from '../features/search/module'
import { settings } from '../features/settings/module'
import { titles } from '../features/titles/module'
import { transports } from '../features/transports/module'
import { users } from '../features/users/module'
import { vehicles } from '../features/vehicles/module'
import { audit } from '../platform/audit/module'
import { auth } from '../platform/auth/module'
import { fullExport } from '../platform/backup/module'
import { documentsModule } from '../platform/documents/module'
import { imports } from '../platform/imports/module'
import { lists } from '../platform/lists/layouts/module'
import { views } from '../platform/lists/saved-views/module'
import { live } from '../platform/live/module'
import type { Module } from '../platform/module'
import { webhooks } from '../platform/webhooks/module'

/** To add a feature, create a folder and add a line here. */
export const MODULES: Module[] = [
  auth,
  profile,
  dashboard,
  due,
  transports,
  osl,
  registrations,
  vehicles,
  titles,
  search,
  views,
  lists,
  live,
  scan,
  reports,
  audit,
  imports,
  locations,
  transportCompanies,
  vendors,
  billing,
  budgets,
  users,
  settings,
  fullExport,
  webhooks,
  documentsModule,
]
