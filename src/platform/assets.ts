import type { Elysia } from 'elysia'

/** A static asset. Its path contains a hash of the content, so the path changes whenever the content changes. */
export type Asset = { path: string; type: string; body: Uint8Array<ArrayBuffer> }

export type AssetLinks = { css: string; boot: string; favicon: string }

export type Assets = {
  files: Asset[]
  links: AssetLinks
  /** Routes that serve files with fixed paths: icons, the web manifest, robots.txt. */
  site: Elysia
}
