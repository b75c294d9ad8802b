/**
 * The global object of the htmx library, which the boot script sets. Interactive parts must not import htmx, because
 * the server also renders these parts.
 */
interface Window {
  htmx: {
    process(element: Element): void
    ajax(verb: string, path: string, swap: Record<'target' | 'select' | 'swap' | 'selectOOB', string>): Promise<void>
  }
}
