/**
 * Element that covers the page while the browser waits. A script displays it, for example until the session has been
 * checked.
 */
export function Loading() {
  return (
    <div className="loading" id="loading" role="status" hidden>
      Loading...
    </div>
  )
}
