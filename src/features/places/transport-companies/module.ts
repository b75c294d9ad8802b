import type { Module } from '../../../platform/module'
import { transportCompaniesApi } from './api'
import { transportCompanyKind } from './kind'
import { transportCompaniesPages } from './pages'

export const transportCompanies: Module = {
  routes: (ctx) => [transportCompaniesPages(ctx), transportCompaniesApi(ctx)],
  kinds: [transportCompanyKind],
}
