import type { Module } from '../../module'
import { transportCompaniesApi } from './api'
import { transportCompaniesPages } from './pages'

export const transportCompanies: Module = {
  routes: (ctx) => [transportCompaniesPages(ctx), transportCompaniesApi(ctx)],
}
