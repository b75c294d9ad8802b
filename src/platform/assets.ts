import type { Elysia } from 'elysia'

/** A file that pages load. Its path contains a hash, so the path changes whenever the content changes. */
export type Asset = { path: string; type: string; body: Uint8Array<ArrayBuffer> }

export type AssetLinks = { css: string; boot: string; favicon: string }

export type Assets = {
  files: Asset[]
  links: AssetLinks
  /** Routes that serve files with fixed paths: icons, the web manifest, robots.txt. */
  site: Elysia
}
