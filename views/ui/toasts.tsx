export type Toast = {
  tone: 'success' | 'danger'
  text: string
  /** Where a post takes the change back. */
  undo?: string
  /** The row of the list that changed. */
  row?: string
  /** The ids of what was ticked and not changed, with dots between them. */
  left?: string
}

/** Top right, read out by screen readers; the boot script takes a message away after five seconds. */
export function Toasts({ toast }: { toast: Toast | null }) {
  return (
    <div className="toasts" id="toasts" role="status" aria-live="polite">
      {toast && (
        <div className={`toast toast-${toast.tone}`} data-toast="" data-row={toast.row} data-left={toast.left}>
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
