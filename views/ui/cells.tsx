import { NONE } from '../format'

/** What the narrowest column of text, and of numbers, shows whole: so short a text needs no title. */
const [SHORT, SHORT_CODE] = [5, 7]

/** A number that people read sign by sign. */
export const Code = ({ text }: { text: string | null }) =>
  text ? (
    <span className="code" title={text.length > SHORT_CODE ? text : undefined}>
      {text}
    </span>
  ) : (
    NONE
  )

type Ends = {
  location_out_name: string
  location_out_code: string
  location_in_name: string
  location_in_code: string
}

/** Where a transport goes, on one line: both codes, then the name of where it arrives. */
export const Route = ({ row }: { row: Ends }) => (
  <span className="route" title={`${row.location_out_name} to ${row.location_in_name}`}>
    <abbr>{row.location_out_code}</abbr>
    {'→'}
    <abbr>{row.location_in_code}</abbr>
    <span>{row.location_in_name}</span>
  </span>
)

/** Text that may be cut off at the end of its cell; the whole stands in the title. */
export const Full = ({ text }: { text: string | null }) =>
  text && text.length > SHORT ? <span title={text}>{text}</span> : (text ?? NONE)
