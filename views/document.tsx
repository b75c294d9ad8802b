import type { ReactNode } from 'react'
import { PRODUCT } from '../db/vocabulary'
import { EARLY_SCRIPT } from './early-script'

/**
 * Settings of the htmx library.
 * The response to a rejected form (422) replaces the form on the page. Error pages replace nothing, because htmx could
 * put them inside a table cell.
 */
const HTMX_CONFIG = JSON.stringify({
  defaultTimeout: 30_000,
  noSwap: [204, 304, 401, 403, 404, 405, 413, 415, 429, '5xx'],
  includeIndicatorCSS: false,
  history: 'reload',
})

type Props = { title: string; assets: { css: string; boot: string; favicon: string }; children: ReactNode }

export function Document({ title, assets, children }: Props) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="htmx-config" content={HTMX_CONFIG} />
        <script id="early" dangerouslySetInnerHTML={{ __html: EARLY_SCRIPT }} />
        <title>{`${title} · ${PRODUCT.name}`}</title>
        <link rel="icon" href={assets.favicon} type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        <link rel="stylesheet" href={assets.css} />
        <script type="module" src={assets.boot} />
      </head>
      <body>{children}</body>
    </html>
  )
}
