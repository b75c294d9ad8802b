type Tab = { href: string; label: string; isCurrent: boolean }

export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  return (
    <nav className="tabs" id="tabs" aria-label={label}>
      {tabs.map(({ href, label, isCurrent }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  )
}
