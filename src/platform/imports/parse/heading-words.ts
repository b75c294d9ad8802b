const ABBREVIATIONS: Record<string, string> = {
  no: 'number',
  num: 'number',
  nr: 'number',
  '#': 'number',
  est: 'estimated',
  arr: 'arrival',
  lic: 'license',
  act: 'actual',
  loc: 'location',
  locn: 'location',
  prev: 'previous',
  reg: 'registration',
  exp: 'expires',
  dt: 'date',
  veh: 'vehicle',
  equip: 'equipment',
  trans: 'transport',
  co: 'company',
  pu: 'pickup',
  amt: 'amount',
  agmt: 'agreement',
  instr: 'instructions',
  lvl: 'level',
  mi: 'miles',
  mls: 'miles',
  odom: 'odometer',
  ph: 'phone',
  stg: 'storage',
  tel: 'phone',
  whats: 'what is',
  stat: 'status',
  sts: 'status',
  del: 'delivery',
  dlvd: 'delivered',
  svc: 'service',
  recd: 'received',
  rcvd: 'received',
  recvd: 'received',
  reld: 'released',
  rlsd: 'released',
  xfer: 'transferred',
  xferd: 'transferred',
  xfrd: 'transferred',
  compl: 'completed',
  rtnd: 'returned',
  retd: 'returned',
  rtn: 'return',
  ret: 'return',
  recv: 'received',
  dn: 'down',
  chg: 'charge',
  cmt: 'comment',
  cmts: 'comments',
}

/** Maximum number of characters of a heading that are compared. No known heading is longer. */
export const MAX_HEADING_LENGTH = 100

/**
 * Matches words in parentheses that distinguish two columns. Example: `Cost (est)` and `Cost (final)`.
 * Other words in parentheses only explain a heading.
 */
const TELLING = /\(\s*(est|estimated|act|actual|final|in|out|from|to)\.?\s*\)/gi
/** Matches headings that name an amount, such as `Cost ($)`. In other headings, `$` is replaced with `cost`. */
const AMOUNT = /cost|rate|fee|amount|amt|price|charge|paid|vlt|quote|invoice|total/i

/**
 * Normalizes a heading.
 * Examples: `Est. Cost ($)` → `estimated cost`, `Actual $` → `actual cost`, `EquipID` → `equipment id`.
 */
export const plainWords = (heading: string) =>
  heading
    .slice(0, MAX_HEADING_LENGTH)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(TELLING, ' $1')
    .replace(/^\s*new\s+(?!loc)/, '')
    .replace(/\([^()]*\)|['’]/g, '')
    .replace(/\$/g, AMOUNT.test(heading) ? '' : ' cost ')
    .replace(/#/g, ' # ')
    // Remove the dots of abbreviations, as in `p.o. #` and `e.t.a.`
    .replace(/\b([a-z])\.(?=[a-z]\b|\s|$)/g, '$1')
    .replace(/pick[ -]up|\bp\/u\b/g, 'pickup')
    .replace(/\br\/a\b/g, 'ra')
    .replace(/\bpo ?\?/g, 'po needed')
    .replace(/date ?time/g, 'date')
    .split(/[^a-z0-9#]+/)
    .filter(Boolean)
    .map((word) => ABBREVIATIONS[word] ?? word)
    .join(' ')
    .replace(' number number', ' number')
