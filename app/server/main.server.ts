import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ServerBuild } from '@remix-run/node';
import { loadProgram } from './program.server.ts';
import type * as transport from './web.server.ts';

// Paths are relative to the build, where this file is build/web/server.js.
const fileOf = (address: string): string => fileURLToPath(new URL(address, import.meta.url));
const pages = fileOf('../server/remix.script.js');

loadProgram<typeof transport>(fileOf('./web.script.js')).serve(() => {
  if (!existsSync(pages))
    throw new Error('There is no build yet. Run "npm run build", or start with "npm start".');
  return loadProgram<ServerBuild>(pages);
});
