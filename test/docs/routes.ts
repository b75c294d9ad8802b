import { factsOf, type Routes } from '../../src/platform/http/about'

const WHO = {
  anyone: 'everybody',
  user: 'signed in',
  costs: 'who sees costs',
  decider: 'who decides invoices',
  admin: 'administrators',
}
const TOKENS = { all: 'yes', read: 'reading only', none: 'no' }

/** Builds `docs/routes.md` from the routes' declarations: addresses, roles, tokens and summaries. */
export function routesPage(routes: Routes): string {
  const rows = (isApi: boolean) =>
    routes
      .filter(({ path }) => !path.startsWith('/assets/') && path.startsWith('/api/') === isApi)
      .filter((route) => factsOf(route).summary)
      .map((route) => {
        const { role = 'user', tokens = 'all', summary } = factsOf(route)
        const path = route.path.replace(/(.)\/$/, '$1')
        return `| ${route.method} | \`${path}\` | ${WHO[role]} |${
          isApi ? ` ${role === 'anyone' ? '–' : TOKENS[tokens]} |` : ''
        } ${summary} |`
      })
      .sort((a, b) => (a.split('|')[2] as string).localeCompare(b.split('|')[2] as string) || a.localeCompare(b))
  return [
    '# Routes',
    '',
    'Written by `bun run docs:write` from what the routes say of themselves; a test holds it to them.',
    '',
    '## Pages',
    '',
    '| Method | Address | Who | What it does |',
    '| --- | --- | --- | --- |',
    ...rows(false),
    '',
    '## Calls',
    '',
    '| Method | Address | Who | By API token | What it does |',
    '| --- | --- | --- | --- | --- |',
    ...rows(true),
    '',
  ].join('\n')
}
