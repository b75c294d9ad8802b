import { paths } from '../../src/platform/paths'
import { cut, NONE } from '../format'

/**
 * Maximum lengths of texts and codes that need no tooltip. Texts up to these lengths, in characters, fit into every
 * column.
 */
const [SHORT, SHORT_CODE] = [5, 7]

/** Width in pixels of a column with amounts up to $9,999,999.99. */
export const MONEY_WIDTH = 106

/** A code that users read character by character, such as a plate. Shown in a monospaced font. */
export const Code = ({ text }: { text: string | null }) =>
  text ? (
    <span className="code" title={text.length > SHORT_CODE ? text : undefined}>
      {text}
    </span>
  ) : (
    NONE
  )

export const Unit = ({ unit, href = paths.vehicles.show(unit) }: { unit: string; href?: string }) => (
  <a className="id" href={href}>
    {unit}
  </a>
)

type Ends = {
  location_out_name: string
  location_out_code: string
  location_in_name: string
  location_in_code: string
}

export const Route = ({ row }: { row: Ends }) => (
  <span className="route" title={`${row.location_out_name} to ${row.location_in_name}`}>
    <abbr>{row.location_out_code}</abbr>
    {'→'}
    <abbr>{row.location_in_code}</abbr>
    <span>{row.location_in_name}</span>
  </span>
)

export const Full = ({ text, max = Number.POSITIVE_INFINITY }: { text: string | null; max?: number }) =>
  text && text.length > SHORT ? <span title={text}>{cut(text, max)}</span> : (text ?? NONE)
