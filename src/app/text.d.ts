declare module '*.service' {
  const text: string
  export default text
}

declare module '*.timer' {
  const text: string
  export default text
}
