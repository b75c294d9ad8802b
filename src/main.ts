import { createRequire } from 'node:module'

// React and Elysia select their production code by NODE_ENV, so it is set before they load.
process.env.NODE_ENV ??= 'production'

// Provides `jsxDEV`, which React's production code lacks. Bun compiles JSX to calls of `jsxDEV` if it does not find our
// tsconfig, because it was started outside the project folder.
const load = createRequire(import.meta.url)
load('react/jsx-dev-runtime').jsxDEV ??= load('react/jsx-runtime').jsx

const [{ run }, { buildAssets }] = await Promise.all([import('./app/commands'), import('./app/assets')])
await run(process.argv.slice(2), buildAssets)
