import type { Elysia } from 'elysia'

/** A static asset. Its path contains a hash of the content, so a changed asset has a new path. */
export type Asset = { path: string; type: string; body: Uint8Array<ArrayBuffer> }

export type AssetLinks = { css: string; boot: string; favicon: string }

export type Assets = {
  files: Asset[]
  links: AssetLinks
  /** Routes for files with fixed paths: icons, the web manifest, robots.txt. */
  site: Elysia
}
