import { cut } from '../format'

/** Number of characters above which a text is cut. This is about three lines. The user can expand the text. */
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
