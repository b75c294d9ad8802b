import { locations } from './admin/locations'
import { transportCompanies } from './admin/transport-companies'
import { users } from './admin/users'
import { vendors } from './admin/vendors'
import { audit } from './audit'
import { auth } from './auth'
import { billing } from './billing'
import { budgets } from './budgets'
import { dashboard } from './dashboard'
import { due } from './due'
import { imports } from './imports'
import { lists } from './lists'
import { live } from './live'
import type { Module } from './module'
import { osl } from './osl'
import { profile } from './profile'
import { registrations } from './registrations'
import { reports } from './reports'
import { views } from './saved-views'
import { scan } from './scan'
import { search } from './search'
import { settings } from './settings'
import { titles } from './titles'
import { transports } from './transports'
import { vehicles } from './vehicles'

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
