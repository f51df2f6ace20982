// What `remix-serve build/server/index.js` does, line by line, without the package: the handler, the static files kept for
// good, the way it ends. `npm run stock-server` runs the same tests behind the package itself.
import console from 'node:console';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { createRequestHandler } from '@remix-run/express';
import express from 'express';

const build = await import(`${pathToFileURL(path.resolve(process.argv[2])).href}?t=${Date.now()}`);
const app = express();
app.disable('x-powered-by');
app.use(build.publicPath, express.static(build.assetsBuildDirectory, { immutable: true, maxAge: '1y' }));
app.use(express.static('public', { maxAge: '1h' }));
app.all('*', createRequestHandler({ build, mode: process.env.NODE_ENV }));
const { PORT, HOST } = process.env;
const listening = () => console.log(`[remix-serve] http://localhost:${PORT}`);
const server = HOST ? app.listen(Number(PORT), HOST, listening) : app.listen(Number(PORT), listening);
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => server.close(console.error));
