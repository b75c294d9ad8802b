import { cut } from '../format'

/** What a table has room for; a summary of three lines. */
const ENOUGH = 180

/** Text of any length in a cell: the beginning of what is long, which opens to the whole. */
export const LongText = ({ text }: { text: string }) =>
  text.length <= ENOUGH ? (
    <span className="timeline-text">{text}</span>
  ) : (
    <details className="timeline-text long-text">
      <summary>{cut(text, ENOUGH)}</summary>
      {text}
    </details>
  )
