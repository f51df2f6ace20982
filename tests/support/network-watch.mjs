// Loaded into a process by `--import`: logs network access to the file NETWORK_WATCH. It watches the handles
// of Node's own bindings, so that no library and no thread of the process can bypass it.
import { createHook } from 'node:async_hooks';
import { appendFileSync } from 'node:fs';
import { env, nextTick } from 'node:process';

const file = env.NETWORK_WATCH;
const KINDS = new Set([
  'TCPCONNECTWRAP',
  'UDPSENDWRAP',
  'GETADDRINFOREQWRAP',
  'GETNAMEINFOREQWRAP',
  'QUERYWRAP',
]);

function note(kind, { hostname, host, address, port }) {
  appendFileSync(file, `${kind} ${hostname ?? host ?? address ?? '?'} ${port ?? ''}\n`);
}

if (file !== undefined)
  createHook({
    init(_id, kind, _trigger, request) {
      // Its destination is set just after it was created.
      if (KINDS.has(kind)) nextTick(() => note(kind, request));
    },
  }).enable();
