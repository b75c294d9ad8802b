import { billing } from '../features/billing'
import { budgets } from '../features/budgets'
import { dashboard } from '../features/dashboard'
import { due } from '../features/due'
import { osl } from '../features/osl'
import { locations } from '../features/places/locations'
import { transportCompanies } from '../features/places/transport-companies'
import { vendors } from '../features/places/vendors'
import { profile } from '../features/profile'
import { registrations } from '../features/registrations'
import { reports } from '../features/reports'
import { scan } from '../features/scan'
import { search } from '../features/search'
import { settings } from '../features/settings'
import { titles } from '../features/titles'
import { transports } from '../features/transports'
import { users } from '../features/users'
import { vehicles } from '../features/vehicles'
import { audit } from '../platform/audit'
import { auth } from '../platform/auth'
import { imports } from '../platform/imports'
import { lists } from '../platform/lists/layouts'
import { views } from '../platform/lists/saved-views'
import { live } from '../platform/live'
import type { Module } from '../platform/module'

/** The features of the program. A new one is a folder and a line here. */
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
]
