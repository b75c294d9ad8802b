import { createRequire } from 'node:module'

// React and Elysia choose their production code by this, so it is set before they are loaded.
process.env.NODE_ENV ??= 'production'

// Bun reads our tsconfig only when it is started from our own folder. From elsewhere it has markup made by a
// function of
// React's development code, which the production code lacks.
const load = createRequire(import.meta.url)
load('react/jsx-dev-runtime').jsxDEV ??= load('react/jsx-runtime').jsx

const [{ run }, { buildAssets }] = await Promise.all([import('./app/commands'), import('./app/assets')])
await run(process.argv.slice(2), buildAssets)
