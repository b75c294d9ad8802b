import { cut } from '../format'

/** Number of characters that fit a table: about three lines. */
const ENOUGH = 180

export const LongText = ({ text }: { text: string }) =>
  text.length <= ENOUGH ? (
    <span className="timeline-text">{text}</span>
  ) : (
    <details className="timeline-text long-text">
      <summary>{cut(text, ENOUGH)}</summary>
      {text}
    </details>
  )
