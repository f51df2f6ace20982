// The program's processes for load and fault runs: web servers, workers, the database alone, and a proxy.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../web/servers.mjs';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const CLI = path.join(root, 'build/cli/main.js');
const SECRET = 'a secret of the load runs alone, long enough';

/** A separate folder for one run. */
export function newFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-load-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts node with a script and waits for a line; keeps its last output to explain why it ended. */
async function start(args, env, ready) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: tmpdir(), NODE_ENV: 'production', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk) => (output = `${output}${chunk}`.slice(-100_000));
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  await new Promise((resolve, reject) => {
    const look = () => output.includes(ready) && resolve();
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    void ended.then(() => reject(new Error(`${args.at(-1)} ended before it was ready:\n${output}`)));
  });
  return {
    pid: child.pid,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

/** @returns a running web server and its port */
export async function startWeb(env, { port, nodeArgs = [] } = {}) {
  const at = port ?? (await freePort());
  const own = { PORT: String(at), SESSION_SECRET: SECRET, RATE_LIMIT_FACTOR: '1000000', BILLING: 'test' };
  const args = [...nodeArgs, 'build/web/server.js'];
  return { ...(await start(args, { ...own, ...env }, 'Vialbook is running at')), port: at };
}

export const startWorker = (env) =>
  start([CLI, 'worker', '--json'], { SESSION_SECRET: SECRET, BILLING: 'test', ...env }, '"working":true');

/** The database in a separate process, at a fixed address. */
export function databaseIn(folder, name = 'data') {
  const socket = path.join(folder, 'db.sock');
  const env = { DATA_DIR: path.join(folder, name) };
  return {
    uri: `mongodb://${encodeURIComponent(socket)}/vialbook?directConnection=true&serverSelectionTimeoutMS=2000`,
    start() {
      rmSync(socket, { force: true });
      return start([CLI, 'db', 'serve', '--socket', socket], env, 'mongodb://');
    },
  };
}

/** A round-robin proxy; a server that refuses the connection is skipped once. */
export async function startProxy(ports) {
  let turn = 0;
  const forward = (request, response, body, left) => {
    const port = ports[(turn += 1) % ports.length];
    const { method, url, headers } = request;
    const onward = http.request({ port, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', (error) => {
      // Nothing was sent if the connection was refused, so another server can be tried.
      if (error.code === 'ECONNREFUSED' && left > 0) forward(request, response, body, left - 1);
      else if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    onward.end(body);
  };
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => forward(request, response, Buffer.concat(chunks), ports.length - 1));
  });
  const port = await freePort();
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { port, ports, stop: () => (server.closeAllConnections(), server.close()) };
}

/** A process's own memory, in MB. */
export function ownMemoryMb(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
}
