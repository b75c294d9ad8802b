/**
 * Global object of the htmx library. The boot script creates this object. Interactive parts must not import htmx,
 * because the server also renders these parts, and htmx needs a browser.
 */
interface Window {
  htmx: {
    process(element: Element): void
    ajax(verb: string, path: string, swap: Record<'target' | 'select' | 'swap' | 'selectOOB', string>): Promise<void>
  }
}
