import { paths } from './paths'

export type LinkTo = { href: string; label: string }

export const SECTIONS: { name: string; adminOnly?: boolean; links: LinkTo[] }[] = [
  {
    name: 'Admin',
    adminOnly: true,
    links: [
      { href: paths.locations.list, label: 'Manage Locations' },
      { href: paths.transportCompanies.list, label: 'Transport Companies' },
      { href: paths.vendors.list, label: 'Manage Vendors' },
      { href: paths.users.list, label: 'Manage Users' },
      { href: paths.audit, label: 'Audit Trail' },
      { href: paths.settings, label: 'Settings' },
      { href: paths.webhooks.list, label: 'Webhooks' },
    ],
  },
  {
    name: 'Transports',
    links: [
      { href: paths.transports.active, label: 'Active Transports' },
      { href: paths.transports.create, label: 'New Transport' },
      { href: paths.transports.completed, label: 'Completed Report' },
    ],
  },
  {
    name: 'Out of Service',
    links: [
      { href: paths.osl.active, label: 'Active OSL' },
      { href: paths.osl.create, label: 'New OSL Entry' },
      { href: paths.osl.completed, label: 'Completed Logs' },
    ],
  },
  {
    name: 'Vehicles',
    links: [
      { href: paths.vehicles.lookup, label: 'Vehicle Lookup' },
      { href: paths.registrations.list, label: 'Registrations' },
    ],
  },
]

export const DUE: LinkTo = { href: paths.due.list, label: 'Due' }

export const TOP_LINKS: LinkTo[] = [
  { href: paths.titles.list, label: 'Title Tracking' },
  { href: paths.scan, label: 'Scan Units' },
  { href: paths.files.upload, label: 'File Upload' },
  { href: paths.reports, label: 'Reports' },
]

export const pagesFor = (isAdmin: boolean): LinkTo[] => [
  { href: paths.dashboard, label: 'Dashboard' },
  DUE,
  ...SECTIONS.filter((section) => isAdmin || !section.adminOnly).flatMap(({ links }) => links),
  ...TOP_LINKS,
]
