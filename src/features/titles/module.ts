import type { Module } from '../../platform/module'
import { titlesApi } from './api'
import { titleBulk } from './bulk'
import { titleExports } from './exports'
import { titleKind, titleNoteKind } from './kind'
import { titleLists } from './lists'
import { titlesPages } from './pages'
import { titleSchemas } from './schemas'

export const titles: Module = {
  routes: (ctx) => [titlesPages(ctx), titlesApi(ctx)],
  exports: titleExports,
  bulk: titleBulk,
  kinds: [titleKind, titleNoteKind],
  lists: titleLists,
  schemas: titleSchemas,
}
