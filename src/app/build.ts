import { compile } from './compile'

await compile({ native: 'yardmaster' })
