import { cut } from '../format'

/** A text with more characters than this, which is about three lines, is cut. The user can expand the text. */
const MAX_LENGTH = 180

export const LongText = ({ text }: { text: string }) =>
  text.length <= MAX_LENGTH ? (
    <span className="timeline-text">{text}</span>
  ) : (
    <details className="timeline-text long-text">
      <summary>{cut(text, MAX_LENGTH)}</summary>
      {text}
    </details>
  )
