// Loaded into a process by `--import`: writes to the file NETWORK_WATCH what is asked of the network. It watches the handles
// that Node's own bindings make, so that no library and no thread of the process gets past it.
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
      // Where it leads is written on it just after it was made.
      if (KINDS.has(kind)) nextTick(() => note(kind, request));
    },
  }).enable();
