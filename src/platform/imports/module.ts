import type { Module } from '../module'
import { filesApi } from './api'
import { downloadPages } from './download-pages'
import { gridPages } from './grid-pages'
import { filesPages } from './pages'
import { pastePages } from './paste-pages'
import { importRecordKinds } from './record-kinds'
import { rememberedPages } from './remembered-pages'

export const imports: Module = {
  routes: (ctx) => [
    filesPages(ctx),
    pastePages(ctx),
    gridPages(ctx),
    downloadPages(ctx),
    rememberedPages(ctx),
    filesApi(ctx),
  ],
  kinds: importRecordKinds,
}
