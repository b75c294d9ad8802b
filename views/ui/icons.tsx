import type { ReactNode } from 'react'

/** Logo of the product: two tracks through a yard. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <rect width="32" height="32" rx="7" className="mark-ground" />
      <path d="M9 6v6.5c0 4.5 7 4 7 9V26M23 6v6.5c0 4.5-7 4-7 9" className="mark-track" />
    </svg>
  )
}

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      {children}
    </svg>
  )
}

export const MenuIcon = () => (
  <Icon>
    <path d="M2 4h12M2 8h12M2 12h12" />
  </Icon>
)
export const ChevronIcon = () => (
  <Icon>
    <path d="M4 6l4 4 4-4" />
  </Icon>
)
export const SearchIcon = () => (
  <Icon>
    <circle cx="7" cy="7" r="4.5" />
    <path d="M10.5 10.5L14 14" />
  </Icon>
)
export const PlusIcon = () => (
  <Icon>
    <path d="M8 3v10M3 8h10" />
  </Icon>
)

/** Shape of a status icon. With it, users can recognize the status without color. */
export type StatusShape = 'ring' | 'half' | 'dot' | 'square' | 'triangle' | 'check' | 'alert'

export function StatusGlyph({ shape }: { shape: StatusShape }) {
  return (
    <svg className="glyph" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      {shape === 'check' && <path d="M2 6.5l2.7 2.7L10 3.5" />}
      {shape === 'alert' && <path d="M6 1.5l5 9H1zM6 5v2.2M6 8.8v.4" />}
      {shape === 'square' && <path d="M2 2h8v8H2z" className="glyph-solid" />}
      {shape === 'triangle' && <path d="M2 2l8 4-8 4z" className="glyph-solid" />}
      {shape === 'ring' && <circle cx="6" cy="6" r="4" />}
      {shape === 'dot' && <circle cx="6" cy="6" r="4" className="glyph-solid" />}
      {shape === 'half' && (
        <>
          <circle cx="6" cy="6" r="4" />
          <path d="M6 2a4 4 0 010 8z" className="glyph-solid" />
        </>
      )}
    </svg>
  )
}
