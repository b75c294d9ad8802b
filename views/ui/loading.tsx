/** Cover that hides the page until its session has been checked. A script displays it. */
export function Loading() {
  return (
    <div className="loading" id="loading" role="status" hidden>
      Loading...
    </div>
  )
}
