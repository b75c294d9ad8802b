import { compile } from './compile'

/** Builds `dist/yardmaster` for this machine. */
await compile({ native: 'yardmaster' })
