export type Toast = {
  tone: 'success' | 'danger'
  text: string
  /** URL that undoes the change when the browser posts to it. */
  undo?: string
  /** Element id of the changed row. */
  row?: string
  /** Ids of ticked rows that a bulk edit skipped, separated by dots. */
  skippedIds?: string
}

/** Messages near the top of the page. Screen readers read them out. A script removes them after 5 seconds. */
export function Toasts({ toast }: { toast: Toast | null }) {
  return (
    <div className="toasts" id="toasts" role="status" aria-live="polite">
      {toast && (
        <div className={`toast toast-${toast.tone}`} data-toast="" data-row={toast.row} data-left={toast.skippedIds}>
          {toast.text}
          {toast.undo && (
            <form method="post" action={toast.undo}>
              <button type="submit">Undo</button>
            </form>
          )}
        </div>
      )}
    </div>
  )
}
