/** Element that covers the page, for example until the session has been checked. A script displays it. */
export function Loading() {
  return (
    <div className="loading" id="loading" role="status" hidden>
      Loading...
    </div>
  )
}
