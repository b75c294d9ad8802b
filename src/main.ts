import { createRequire } from 'node:module'

// React and Elysia choose their production code by NODE_ENV, so set it before they load.
process.env.NODE_ENV ??= 'production'

// React's production code lacks `jsxDEV`, but Bun compiles JSX to calls of `jsxDEV` if it does not find our tsconfig.
// This is the case if Bun is started outside the project folder.
const load = createRequire(import.meta.url)
load('react/jsx-dev-runtime').jsxDEV ??= load('react/jsx-runtime').jsx

const [{ run }, { buildAssets }] = await Promise.all([import('./app/commands'), import('./app/assets')])
await run(process.argv.slice(2), buildAssets)
