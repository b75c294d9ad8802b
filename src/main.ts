// React and Elysia choose their production code by this, so it is set before they are loaded.
process.env.NODE_ENV ??= 'production'

const [{ run }, { buildAssets }] = await Promise.all([import('./commands'), import('./assets')])
await run(process.argv.slice(2), buildAssets)

export {}
