import type { Module } from '../module'
import { exportApi } from './api'

export const fullExport: Module = { routes: (ctx) => [exportApi(ctx)] }
