import { BLANK_WORD } from '../../../views/imports/word-questions'

export function parseAnswers(form: Record<string, unknown>) {
  const numberedValues = (name: string) => {
    const values: unknown[] = []
    for (let at = 0; form[`${name}.${at}`] !== undefined; at++) values.push(form[`${name}.${at}`])
    return values
  }
  const [names, kinds, choices, fields] = ['name', 'kind', 'choice', 'field'].map(numberedValues) as [
    unknown[],
    unknown[],
    unknown[],
    unknown[],
  ]
  const nameAnswers = names.flatMap((name, at) => {
    const choice = choices[at]
    // An empty choice means that the user made no decision about a name. If the user had earlier chosen to create a
    // record for the name, the empty choice withdraws that decision.
    if (!choice) return form[`was.${at}`] === 'create' ? [{ kind: kinds[at], name }] : []
    return [{ kind: kinds[at], name, ...(choice === 'create' ? { create: true } : { id: choice }) }]
  })
  const words = Object.entries(form).flatMap(([name, value]) => {
    const at = /^word\.(\d+)$/.exec(name)?.[1]
    const choice = at === undefined ? undefined : form[`meaning.${at}`]
    return choice ? [{ field: form[`list.${at}`], text: value, value: choice === BLANK_WORD ? null : choice }] : []
  })
  // The chosen date order applies to all date columns, unless the user chooses an order for each column.
  const order = form.date === 'each' ? undefined : form.date
  const dates = Object.entries(form).flatMap(([name, value]) =>
    name.startsWith('date.') ? [[name.slice('date.'.length), order ?? value]] : [],
  )
  const defaults = Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) =>
      name.startsWith('default.') ? [[name.slice('default.'.length), value]] : [],
    ),
  )
  return {
    data_type: form.data_type,
    sheet: form.sheet,
    encoding: form.encoding,
    ...(form.defaults !== undefined ? { defaults } : {}),
    existing: form.existing,
    header_row: form.header_row,
    date_orders: Object.fromEntries(dates),
    names: nameAnswers,
    words,
    skip_hidden: form.skip_hidden,
    skip_conflicts: form.skip_conflicts,
    extend_short: form.extend_short,
    ...(fields.length ? { fields: fields.map((field) => field || null) } : {}),
  }
}
