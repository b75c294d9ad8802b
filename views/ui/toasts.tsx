export type Toast = { tone: 'success' | 'danger'; text: string }

/** Top right, read out by screen readers; the boot script takes a message away after five seconds. */
export function Toasts({ toast }: { toast: Toast | null }) {
  return (
    <div className="toasts" id="toasts" role="status" aria-live="polite">
      {toast && (
        <p className={`toast toast-${toast.tone}`} data-toast="">
          {toast.text}
        </p>
      )}
    </div>
  )
}
