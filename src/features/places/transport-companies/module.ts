import type { Module } from '../../../platform/module'
import { transportCompaniesApi } from './api'
import { transportCompaniesPages } from './pages'

export const transportCompanies: Module = {
  routes: (ctx) => [transportCompaniesPages(ctx), transportCompaniesApi(ctx)],
}
